import type {
  AuditTrail,
  IdentityProviderAdministration,
  ResourceOwnerAdministration,
  Statistics,
} from '@watchword/protocol';
import type { Operation } from './operation.ts';
import { type AccessTokenOperationDependencies, accessTokenOperations } from './operations/access-tokens.ts';
import { auditEventOperations } from './operations/audit-events.ts';
import { type ClientOperationDependencies, clientOperations } from './operations/clients.ts';
import { identityProviderOperations } from './operations/identity-providers.ts';
import { principalOperations } from './operations/principal.ts';
import { resourceOwnerOperations } from './operations/resource-owners.ts';
import {
  type ResourceServerOperationDependencies,
  resourceServerOperations,
} from './operations/resource-servers.ts';
import { statisticsOperations } from './operations/statistics.ts';

export interface AdministrationOperationDependencies
  extends ResourceServerOperationDependencies,
    ClientOperationDependencies,
    AccessTokenOperationDependencies {
  readonly resourceOwners: ResourceOwnerAdministration;
  readonly identityProviderAdministration: IdentityProviderAdministration;
  readonly auditTrail: AuditTrail;
  readonly statistics: Statistics;
}

/** Everything that the administration interface does. */
export function administrationOperations(world: AdministrationOperationDependencies): Operation[] {
  return [
    ...principalOperations(),
    ...statisticsOperations(world),
    ...resourceServerOperations(world),
    ...clientOperations(world),
    ...accessTokenOperations(world),
    ...resourceOwnerOperations(world.resourceOwners),
    ...identityProviderOperations(world),
    ...auditEventOperations(world),
  ];
}
