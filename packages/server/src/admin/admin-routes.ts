import type {
  AuditLog,
  GrantAdministration,
  IdentityProviderAdministration,
  LoginSessionAdministration,
  LogoutDeliveryAdministration,
  RequestErrorAdministration,
  ResourceOwnerAdministration,
  Statistics,
} from '@watchword/protocol';
import type { Route } from './route.ts';
import type { AccessTokenRouteDependencies } from './routes/access-token-handlers.ts';
import { accessTokenRoutes } from './routes/access-tokens.ts';
import type { AccountRouteDependencies } from './routes/account-handlers.ts';
import { accountRoutes } from './routes/accounts.ts';
import { auditEventRoutes } from './routes/audit-events.ts';
import type { ClientRouteDependencies } from './routes/client-handlers.ts';
import { clientRoutes } from './routes/clients.ts';
import { grantRoutes } from './routes/grants.ts';
import { identityProviderRoutes } from './routes/identity-providers.ts';
import { loginSessionRoutes } from './routes/login-sessions.ts';
import { logoutDeliveryRoutes } from './routes/logout-deliveries.ts';
import { type PrincipalRouteDependencies, principalRoutes } from './routes/principal.ts';
import { requestErrorRoutes } from './routes/request-errors.ts';
import { resourceOwnerRoutes } from './routes/resource-owners.ts';
import type { ResourceServerRouteDependencies } from './routes/resource-server-handlers.ts';
import { resourceServerRoutes } from './routes/resource-servers.ts';
import { statisticsRoutes } from './routes/statistics.ts';

export interface AdminRouteDependencies
  extends ResourceServerRouteDependencies,
    ClientRouteDependencies,
    AccessTokenRouteDependencies,
    AccountRouteDependencies,
    PrincipalRouteDependencies {
  readonly grants: GrantAdministration;
  readonly resourceOwners: ResourceOwnerAdministration;
  readonly identityProviderAdministration: IdentityProviderAdministration;
  readonly loginSessionAdministration: LoginSessionAdministration;
  readonly logoutDeliveryAdministration: LogoutDeliveryAdministration;
  readonly requestErrorAdministration: RequestErrorAdministration;
  readonly auditLog: AuditLog;
  readonly statistics: Statistics;
}

/** All routes of the administration interface. */
export function adminRoutes(deps: AdminRouteDependencies): Route[] {
  return [
    ...principalRoutes(deps),
    ...statisticsRoutes(deps),
    ...resourceServerRoutes(deps),
    ...clientRoutes(deps),
    ...accessTokenRoutes(deps),
    ...grantRoutes(deps),
    ...accountRoutes(deps),
    ...resourceOwnerRoutes(deps.resourceOwners),
    ...loginSessionRoutes(deps),
    ...logoutDeliveryRoutes(deps),
    ...identityProviderRoutes(deps),
    ...requestErrorRoutes(deps),
    ...auditEventRoutes(deps),
  ];
}
