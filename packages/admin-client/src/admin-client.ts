import { type AccessTokensClient, accessTokensClient } from './access-tokens.ts';
import { type AccountsClient, accountsClient } from './accounts.ts';
import { type AuditEventsClient, auditEventsClient } from './audit-events.ts';
import { type ClientsClient, clientsClient } from './clients.ts';
import { type GrantsClient, grantsClient } from './grants.ts';
import { type IdentityProvidersClient, identityProvidersClient } from './identity-providers.ts';
import { type LoginSessionsClient, loginSessionsClient } from './login-sessions.ts';
import { type LogoutDeliveriesClient, logoutDeliveriesClient } from './logout-deliveries.ts';
import type { Principal, Registration } from './records.ts';
import { type RequestErrorsClient, requestErrorsClient } from './request-errors.ts';
import { type CallOptions, requests } from './requests.ts';
import { type ResourceOwnersClient, resourceOwnersClient } from './resource-owners.ts';
import { type ResourceServersClient, resourceServersClient } from './resource-servers.ts';
import { type StatisticsClient, statisticsClient } from './statistics.ts';
import { type AdminClientOptions, createTransport } from './transport.ts';

/** All endpoints of the administration interface. Each call rejects with `AdminError` for an answer that is not a success. */
export interface AdminClient {
  readonly resourceServers: ResourceServersClient;
  readonly clients: ClientsClient;
  readonly accessTokens: AccessTokensClient;
  readonly accounts: AccountsClient;
  readonly grants: GrantsClient;
  readonly loginSessions: LoginSessionsClient;
  readonly logoutDeliveries: LogoutDeliveriesClient;
  readonly resourceOwners: ResourceOwnersClient;
  readonly identityProviders: IdentityProvidersClient;
  readonly auditEvents: AuditEventsClient;
  readonly requestErrors: RequestErrorsClient;
  /** Tokens and resource owners of each client, issued tokens by hour, requests with errors. */
  readonly statistics: StatisticsClient;
  /** The caller of the access token. */
  principal(options?: CallOptions): Promise<Principal>;
  /** Who may register records, and whether the caller may. */
  registration(options?: CallOptions): Promise<Registration>;
}

export function createAdminClient(options: AdminClientOptions): AdminClient {
  const deps = requests(createTransport(options));
  const { endpoint, json } = deps;
  return {
    resourceServers: resourceServersClient(deps),
    clients: clientsClient(deps),
    accessTokens: accessTokensClient(deps),
    accounts: accountsClient(deps),
    grants: grantsClient(deps),
    loginSessions: loginSessionsClient(deps),
    logoutDeliveries: logoutDeliveriesClient(deps),
    resourceOwners: resourceOwnersClient(deps),
    identityProviders: identityProvidersClient(deps),
    auditEvents: auditEventsClient(deps),
    requestErrors: requestErrorsClient(deps),
    statistics: statisticsClient(deps),
    principal: async (options) => json(endpoint('GET /admin/resourceServer/principal'), options),
    registration: async (options) => json(endpoint('GET /admin/registration'), options),
  };
}
