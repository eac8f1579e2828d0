import type { ModuleOptions } from '@watchword/protocol';
import type { Addresses } from './addresses.ts';
import type { OidcOptions } from './options/read-options.ts';
import type { Provider } from './provider/provider.ts';

/** The dependencies of the module's endpoints and steps. */
export interface OidcDependencies {
  readonly options: OidcOptions;
  readonly provider: Provider;
  readonly services: ModuleOptions['services'];
  readonly log: ModuleOptions['log'];
  readonly addresses: Addresses;
}
