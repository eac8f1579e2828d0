import type { Clock, Transact } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { sqlEndedGrants } from '../grants/ended-grants.ts';
import { sqlIssuedTokens } from '../grants/issued-tokens.ts';
import type { TokenSegments } from '../grants/token-segments.ts';
import { sqlAuditEvents } from '../history/audit-events.ts';
import { sqlKeyRenewal } from '../keys/digest-key.ts';
import { sqlSigningKeys } from '../keys/signing-keys.ts';
import type { SessionEnds } from '../logins/session-ends.ts';
import { sqlAccounts } from '../people/accounts.ts';
import { sqlOwnerChanges } from '../people/owner-changes.ts';
import { withWorkAfterCommit } from '../queries/after-commit.ts';
import { sqlClients } from '../records/clients.ts';
import { sqlResourceServers } from '../records/resource-servers.ts';
import type { Schema } from '../schema/schema.ts';
import type { ChangeConfiguration } from '../work/configuration-change.ts';

export function sqlTransact(
  db: Kysely<Schema>,
  change: ChangeConfiguration,
  clock: Clock,
  ends: SessionEnds,
  segments: TokenSegments,
  hasShards: boolean,
): Transact {
  return (work) =>
    withWorkAfterCommit(db, (afterCommit) =>
      change((transaction, revision) => {
        const within: ChangeConfiguration = (part) => part(transaction, revision);
        return work({
          resourceServers: sqlResourceServers(transaction, within, clock),
          clients: sqlClients(transaction, within, clock),
          issuedTokens: sqlIssuedTokens(transaction, afterCommit, ends, segments),
          accounts: sqlAccounts(transaction, ends, (part) => part(transaction, afterCommit)),
          auditEvents: sqlAuditEvents(transaction),
          ownerChanges: sqlOwnerChanges(transaction),
          grants: sqlEndedGrants(transaction, hasShards ? afterCommit : undefined),
          signingKeys: sqlSigningKeys(transaction),
          keyRenewal: sqlKeyRenewal(transaction),
        });
      }),
    );
}
