import type { AdminClient } from '@watchword/admin-client';
import { accessTokenTools } from './access-tokens.ts';
import { accountTools } from './accounts.ts';
import { auditEventTools } from './audit-events.ts';
import { clientTools } from './clients.ts';
import { recordFinder } from './find-records.ts';
import { grantTools } from './grants.ts';
import { identityProviderTools } from './identity-providers.ts';
import { loginSessionTools } from './login-sessions.ts';
import { logoutDeliveryTools } from './logout-deliveries.ts';
import type { OnDatabase } from './on-database.ts';
import { resourceServerTools } from './resource-servers.ts';

export type Administration = ReturnType<typeof administrationBy>;

/**
 * What the record commands do, through a client of the administration interface: over the network, or within the process on a database.
 * A command finds a record by the name that administrators use. A missing record rejects with `not_found`.
 *
 * @param onDatabase what only a command on the database can do; absent over the network
 */
export function administrationBy(admin: AdminClient, onDatabase?: OnDatabase) {
  const find = recordFinder(admin);
  return {
    /** When a change takes effect, as the end of a sentence. */
    effect: onDatabase === undefined ? 'at once' : 'in a running server within a second',
    resourceServers: resourceServerTools(admin, find, onDatabase),
    clients: clientTools(admin, find, onDatabase),
    accessTokens: accessTokenTools(admin, find, onDatabase),
    accounts: onDatabase?.accounts ?? accountTools(admin),
    grants: grantTools(admin, find),
    identityProviders: identityProviderTools(admin),
    logoutDeliveries: logoutDeliveryTools(admin, find),
    loginSessions: loginSessionTools(admin, find),
    auditEvents: auditEventTools(admin),
    /** Why the request with that id was refused in the last day, and what mends it. */
    async explain(requestId: string) {
      try {
        return await admin.requestErrors.explain(requestId);
      } catch (error) {
        throw onDatabase === undefined ? error : onDatabase.unexplained(error);
      }
    },
  };
}

export type Explanation = Awaited<ReturnType<Administration['explain']>>;
