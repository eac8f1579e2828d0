import {
  type AccessTokenAdministrationDependencies,
  type AuditEvent,
  type AuditEventStore,
  accessTokenAdministration,
  administrationStatistics,
  auditTrail,
  type BearerDependencies,
  type BootstrapReport,
  bootstrap,
  clientAdministration,
  type IdentityProviderAdministrationDependencies,
  identityProviderAdministration,
  type Registry,
  resourceOwnerAdministration,
  resourceServerAdministration,
  type Sealer,
  type StatisticsDependencies,
} from '@watchword/protocol';
import { administrationOperations } from './admin/administration.ts';
import { type OpenApiDocument, openApiDocument } from './admin/openapi.ts';
import { totalsOf } from './admin/totals.ts';
import { version } from './cli/version.ts';
import { administrationRoutes } from './http/administration.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { PageAnswers } from './http/page.ts';
import { auditLine } from './operation/audit-log.ts';
import type { Logger } from './operation/logger.ts';

export interface Administration {
  readonly endpoints: readonly Endpoint[];
  /** Registers what the interface itself depends on; to be called once the base URL is known. */
  bootstrap(): Promise<BootstrapReport>;
}

type World = Omit<AccessTokenAdministrationDependencies, 'audited' | 'parties'> &
  StatisticsDependencies &
  IdentityProviderAdministrationDependencies &
  BearerDependencies & {
    readonly registry: Registry;
    readonly auditEvents: AuditEventStore;
    readonly sealer: Sealer;
    issuer(): string;
  };

/** Puts together the administration interface. */
export function composeAdministration(
  world: World,
  pages: PageAnswers,
  logger: Logger,
  prefix: string,
): Administration {
  const { registry, issuer } = world;
  const parts = {
    ...world,
    audited: (event: AuditEvent) => logger.info({ audit: auditLine(event) }, 'changed a record'),
    parties: {
      clients: { findById: async (id: number) => registry.clientById(id) },
      resourceServers: { findById: async (id: number) => registry.resourceServerById(id) },
    },
  };
  const operations = administrationOperations({
    ...parts,
    totals: totalsOf(registry),
    resourceServers: resourceServerAdministration(parts),
    clients: clientAdministration(parts),
    accessTokens: accessTokenAdministration(parts),
    resourceOwners: resourceOwnerAdministration(parts),
    identityProviderAdministration: identityProviderAdministration(parts),
    auditTrail: auditTrail(parts),
    statistics: administrationStatistics(parts),
  });
  let document: OpenApiDocument | undefined;
  const openApi = () => {
    document ??= openApiDocument(operations, issuer(), version);
    return document;
  };
  return {
    endpoints: administrationRoutes({ ...parts, operations, pages, prefix, openApi }),
    bootstrap: () => bootstrap(issuer(), parts),
  };
}
