import type { ConsentModule, ModuleOptions } from '@watchword/protocol';
import { consentFormModule } from './consent/form.ts';
import { consentNoopModule } from './consent/noop.ts';
import { loadModule } from './load-module.ts';

const builtIn = { form: consentFormModule, noop: consentNoopModule };

/** The module that the setting `consent` names. @throws ModuleLoadError */
export function loadConsentModule(name: string, options: ModuleOptions): Promise<ConsentModule> {
  return loadModule<ConsentModule>('consent', name, builtIn, options);
}
