import type { ConsentModule, ModuleOptions } from '@watchword/protocol';
import { consentFormModule } from './consent/form.ts';
import { consentNoopModule } from './consent/noop.ts';
import { checkedConsent } from './contract/checked-consent.ts';
import { loadModule } from './load-module.ts';
import type { ModuleCalls } from './module-calls.ts';

const builtIn = { form: consentFormModule, noop: consentNoopModule };

/** The module that the setting `consent` names. @throws ModuleLoadError */
export async function loadConsentModule(
  name: string,
  options: ModuleOptions,
  calls: ModuleCalls,
): Promise<ConsentModule> {
  return checkedConsent(await loadModule<ConsentModule>(name, builtIn, options), calls);
}
