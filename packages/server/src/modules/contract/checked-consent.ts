import type { ConsentModule, ConsentStep } from '@watchword/protocol';
import * as v from 'valibot';
import type { ModuleCalls } from '../module-calls.ts';
import { heldVariant, variants } from './contract-error.ts';
import { formEntries } from './form-schema.ts';
import { flag, listOfTexts } from './values.ts';

const consentStep = variants(
  [
    v.object({ ...formEntries, ticked: v.optional(listOfTexts) }),
    v.object({ type: v.literal('consented'), scopes: listOfTexts, remember: flag }),
    v.object({ type: v.literal('denied') }),
  ],
  'a step: form, consented or denied',
);

/** Checks all answers of a module against the contract. */
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

/** @throws ContractError */
function checkedStep(step: ConsentStep): ConsentStep {
  heldVariant(consentStep, step);
  return step;
}
