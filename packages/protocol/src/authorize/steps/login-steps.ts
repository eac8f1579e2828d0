import type { LoginStep } from './login-step.ts';
import { type RequiredAction, type RequiredActionDependencies, requiredAction } from './required-action.ts';

/** The settings of the operator by which steps are asked. */
export interface LoginStepSettings {
  readonly requiredActions: readonly RequiredAction[];
}

/** What follows the first factor of every login, in the order in which people are asked. */
export function loginStepsOf(
  { requiredActions }: LoginStepSettings,
  deps: RequiredActionDependencies,
): readonly LoginStep[] {
  return requiredActions.map((action) => requiredAction(action, deps));
}
