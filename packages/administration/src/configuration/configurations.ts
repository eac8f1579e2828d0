import type { AppliedConfiguration, ConfigurationReader } from '@watchword/protocol';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import { applyConfiguration } from './apply.ts';
import type { ApplyOptions } from './applying.ts';
import type { ConfigurationPlan } from './plan.ts';

/** Configurations as code, for administrators. */
export interface ConfigurationAdministration {
  /** In the order of their names. */
  list(caller: Caller): Promise<AppliedConfiguration[]>;
  /** @param document as JSON, with the secrets themselves @throws OAuthError `invalid_request` with everything that is wrong */
  apply(caller: Caller, document: unknown, options: ApplyOptions): Promise<ConfigurationPlan>;
}

export interface ConfigurationDependencies extends AdministrationDependencies {
  readonly configurations: ConfigurationReader;
}

export function configurationAdministration(deps: ConfigurationDependencies): ConfigurationAdministration {
  return {
    async list(caller) {
      requireAdministrator(caller, 'see the configurations');
      return deps.configurations.list();
    },
    apply: (caller, document, options) => applyConfiguration(caller, deps, document, options),
  };
}
