import type { Store } from '@watchword/store-sql';
import type { Configuration } from '../../config/settings.ts';
import type { Administration } from '../administration.ts';
import { operator } from '../operator.ts';
import { localAccessTokens } from './access-tokens.ts';
import { localAccounts } from './accounts.ts';
import { localAuditEvents } from './audit-events.ts';
import { localClients } from './clients.ts';
import { localExplain } from './explain.ts';
import { localGrants } from './grants.ts';
import { localIdentityProviders } from './identity-providers.ts';
import { localLoginSessions } from './login-sessions.ts';
import { localLogoutDeliveries } from './logout-deliveries.ts';
import { localRecords } from './records.ts';
import { localResourceServers } from './resource-servers.ts';

/** Administration of the database itself: all records, with the same rules as over REST. */
export function localAdministration(store: Store, configuration: Configuration): Administration {
  const records = localRecords(store, operator, configuration);
  return {
    effect: 'in a running server within a second',
    resourceServers: localResourceServers(records),
    clients: localClients(records),
    accessTokens: localAccessTokens(records),
    accounts: localAccounts(store, operator, configuration.baseUrl),
    grants: localGrants(records),
    identityProviders: localIdentityProviders(records),
    logoutDeliveries: localLogoutDeliveries(records),
    loginSessions: localLoginSessions(records),
    auditEvents: localAuditEvents(records),
    explain: localExplain(records),
  };
}
