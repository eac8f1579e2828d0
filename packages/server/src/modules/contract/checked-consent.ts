import type { ConsentModule, ConsentStep } from '@watchword/protocol';
import type { ModuleCalls } from '../module-calls.ts';
import { checkForm } from './checked-form.ts';
import { checkStep } from './checked-step.ts';
import { demand, isListOfTexts } from './nonsense.ts';

const steps: readonly ConsentStep['type'][] = ['form', 'consented', 'denied'];

/** Holds a module to its contract. */
export function checkedConsent(module: ConsentModule, calls: ModuleCalls): ConsentModule {
  const { name, insecureBecause } = module;
  const run = (call: string, requestId: string, work: () => Promise<ConsentStep>) =>
    calls.run({ setting: 'consent', module: name, call, requestId }, work, checkedStep);
  return {
    name,
    ...(insecureBecause !== undefined && { insecureBecause }),
    begin: (context) => run('begin', context.requestId, () => module.begin(context)),
    resume: (context, submission) =>
      run('resume', context.requestId, () => module.resume(context, submission)),
  };
}

/** @throws Nonsense */
function checkedStep(step: ConsentStep): ConsentStep {
  checkStep(step, steps);
  if (step.type === 'form') {
    checkForm(step);
    const { ticked } = step;
    demand(ticked === undefined || isListOfTexts(ticked), 'ticked scopes that are no list of texts', ticked);
  }
  if (step.type === 'consented') {
    const { scopes, remember } = step;
    demand(isListOfTexts(scopes), 'granted scopes that are no list of texts', scopes);
    demand(typeof remember === 'boolean', 'a remember that is neither true nor false', remember);
  }
  return step;
}
