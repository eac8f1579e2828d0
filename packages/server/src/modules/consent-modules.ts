import type { ConsentModule, ConsentStep, ModuleOptions } from '@watchword/protocol';
import { consentFormModule } from './consent/form.ts';
import { consentNoopModule } from './consent/noop.ts';
import { assertKnownStep } from './known-step.ts';
import { loadModule } from './load-module.ts';

const steps: readonly ConsentStep['type'][] = ['form', 'consented', 'denied'];

const builtIn = { form: consentFormModule, noop: consentNoopModule };

/** The module that the setting `consent` names. @throws ModuleLoadError */
export async function loadConsentModule(name: string, options: ModuleOptions): Promise<ConsentModule> {
  return checkedConsent(await loadModule<ConsentModule>('consent', name, builtIn, options));
}

function checkedConsent(module: ConsentModule): ConsentModule {
  const checked = (step: ConsentStep): ConsentStep => {
    assertKnownStep(step, `consent module ${module.name}`, steps);
    return step;
  };
  return {
    name: module.name,
    ...(module.insecureBecause !== undefined && { insecureBecause: module.insecureBecause }),
    begin: async (context) => checked(await module.begin(context)),
    resume: async (context, submission) => checked(await module.resume(context, submission)),
  };
}
