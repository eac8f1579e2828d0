import type { AdminClient } from '@watchword/admin-client';
import type { Administration } from '../administration.ts';
import { remoteAccessTokens } from './access-tokens.ts';
import { remoteAccounts } from './accounts.ts';
import { remoteAuditEvents } from './audit-events.ts';
import { remoteClients } from './clients.ts';
import { recordFinder } from './find-records.ts';
import { remoteGrants } from './grants.ts';
import { remoteIdentityProviders } from './identity-providers.ts';
import { remoteLoginSessions } from './login-sessions.ts';
import { remoteLogoutDeliveries } from './logout-deliveries.ts';
import { remoteResourceServers } from './resource-servers.ts';

/** Administration of a server over its REST interface: the caller's own records, or all for an administrator. */
export function remoteAdministration(admin: AdminClient): Administration {
  const find = recordFinder(admin);
  return {
    effect: 'at once',
    resourceServers: remoteResourceServers(admin, find),
    clients: remoteClients(admin, find),
    accessTokens: remoteAccessTokens(admin, find),
    accounts: remoteAccounts(admin),
    grants: remoteGrants(admin, find),
    identityProviders: remoteIdentityProviders(admin),
    logoutDeliveries: remoteLogoutDeliveries(admin, find),
    loginSessions: remoteLoginSessions(admin, find),
    auditEvents: remoteAuditEvents(admin),
    explain: (requestId) => admin.requestErrors.explain(requestId),
  };
}
