import type { LoginStep } from './login-step.ts';
import { type RequiredAction, type RequiredActionDependencies, requiredAction } from './required-action.ts';

/** The settings of the operator by which steps are asked. */
export interface LoginStepSettings {
  readonly requiredActions: readonly RequiredAction[];
}

export interface LoginStepDependencies extends RequiredActionDependencies {
  /** Those that ask for further factors, which other packages have. */
  readonly factorSteps: readonly LoginStep[];
}

/** What follows the first factor of every login, in the order in which people are asked. */
export function loginStepsOf(
  { requiredActions }: LoginStepSettings,
  { factorSteps, ...deps }: LoginStepDependencies,
): readonly LoginStep[] {
  return [...factorSteps, ...requiredActions.map((action) => requiredAction(action, deps))];
}
