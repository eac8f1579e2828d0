import type { ModuleOptions } from '@watchword/protocol';
import type { Addresses } from './addresses.ts';
import type { GroupProvider } from './group-provider.ts';
import type { ProviderDirectory } from './metadata/directory.ts';
import type { SamlOptions } from './options/read-options.ts';

/** The dependencies of the module's endpoints and steps. */
export interface SamlDependencies {
  readonly options: SamlOptions;
  readonly directory: ProviderDirectory;
  readonly services: ModuleOptions['services'];
  readonly log: ModuleOptions['log'];
  readonly groupProvider: GroupProvider | undefined;
  readonly addresses: Addresses;
}
