import {
  type AccessTokenAdministrationDependencies,
  type AuditEvent,
  type AuditLogDependencies,
  accessTokenAdministration,
  administrationStatistics,
  auditLog,
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
import { adminRoutes } from './admin/admin-routes.ts';
import { type OpenApiDocument, openApiDocument } from './admin/openapi.ts';
import { totalsOf } from './admin/totals.ts';
import { administrationRoutes } from './http/administration.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { PageAnswers } from './http/page.ts';
import { auditLine } from './runtime/audit-line.ts';
import type { Logger } from './runtime/logger.ts';
import { version } from './version.ts';

export interface Administration {
  readonly endpoints: readonly Endpoint[];
  /** Registers what the interface itself depends on; to be called once the base URL is known. */
  bootstrap(): Promise<BootstrapReport>;
}

type Dependencies = Omit<AccessTokenAdministrationDependencies, 'audited' | 'registered'> &
  StatisticsDependencies &
  IdentityProviderAdministrationDependencies &
  BearerDependencies &
  AuditLogDependencies & {
    readonly registry: Registry;
    readonly sealer: Sealer;
    readonly issuer: string;
  };

/** Puts together the administration interface. */
export function composeAdministration(
  deps: Dependencies,
  pages: PageAnswers,
  logger: Logger,
  prefix: string,
): Administration {
  const { registry, issuer } = deps;
  const parts = {
    ...deps,
    audited: (event: AuditEvent) => logger.info({ audit: auditLine(event) }, 'changed a record'),
    registered: {
      clients: { findById: async (id: number) => registry.clientById(id) },
      resourceServers: { findById: async (id: number) => registry.resourceServerById(id) },
    },
  };
  const routes = adminRoutes({
    ...parts,
    totals: totalsOf(registry),
    resourceServers: resourceServerAdministration(parts),
    clients: clientAdministration(parts),
    accessTokens: accessTokenAdministration(parts),
    resourceOwners: resourceOwnerAdministration(parts),
    identityProviderAdministration: identityProviderAdministration(parts),
    auditLog: auditLog(parts),
    statistics: administrationStatistics(parts),
  });
  let document: OpenApiDocument | undefined;
  const openApi = () => {
    document ??= openApiDocument(routes, issuer, version);
    return document;
  };
  return {
    endpoints: administrationRoutes({ ...parts, routes, pages, prefix, openApi }),
    bootstrap: () => bootstrap(issuer, parts),
  };
}
