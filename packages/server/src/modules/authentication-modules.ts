import type { AuthenticationModule, AuthenticationModuleFactory, ModuleOptions } from '@watchword/protocol';
import { formModule } from './authentication/form.ts';
import { noopAdminModule, noopModule } from './authentication/noop.ts';
import {
  type CheckedAuthenticationModule,
  checkedAuthentication,
} from './contract/checked-authentication.ts';
import { loadModule, ModuleLoadError } from './load-module.ts';
import type { ModuleCalls } from './module-calls.ts';

const builtIn = { form: formModule, noop: noopModule, 'noop-admin': noopAdminModule };

/**
 * The module that the setting `authenticator` names.
 *
 * @param own built in, but made of parts of the server
 * @throws ModuleLoadError
 */
export async function loadAuthenticationModule(
  name: string,
  own: Readonly<Record<string, AuthenticationModuleFactory>>,
  options: ModuleOptions,
  calls: ModuleCalls,
): Promise<CheckedAuthenticationModule> {
  const module = await loadModule<AuthenticationModule>(
    'authenticator',
    name,
    { ...builtIn, ...own },
    options,
  );
  try {
    return checkedAuthentication(module, calls);
  } catch (error) {
    throw new ModuleLoadError('authenticator', `"${name}": ${(error as Error).message}`, error);
  }
}
