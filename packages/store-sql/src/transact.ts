import type { Clock, Transact } from '@watchword/protocol';
import { sqlAccounts } from './accounts.ts';
import { sqlAuditEvents } from './audit-events.ts';
import { sqlClients } from './clients.ts';
import type { ChangeConfiguration } from './configuration-change.ts';
import { sqlEndedGrants } from './ended-grants.ts';
import { sqlIssuedTokens } from './issued-tokens.ts';
import { sqlOwnerChanges } from './owner-changes.ts';
import { sqlResourceServers } from './resource-servers.ts';

export function sqlTransact(change: ChangeConfiguration, clock: Clock): Transact {
  return (work) =>
    change((transaction, revision) => {
      const within: ChangeConfiguration = (part) => part(transaction, revision);
      return work({
        resourceServers: sqlResourceServers(transaction, within, clock),
        clients: sqlClients(transaction, within, clock),
        issuedTokens: sqlIssuedTokens(transaction),
        accounts: sqlAccounts(transaction, (part) => part(transaction)),
        auditEvents: sqlAuditEvents(transaction),
        ownerChanges: sqlOwnerChanges(transaction),
        grants: sqlEndedGrants(transaction),
      });
    });
}
