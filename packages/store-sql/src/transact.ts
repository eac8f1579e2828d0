import type { Clock, Transact } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { sqlAccounts } from './accounts.ts';
import { withWorkAfterCommit } from './after-commit.ts';
import { sqlAuditEvents } from './audit-events.ts';
import { sqlClients } from './clients.ts';
import type { ChangeConfiguration } from './configuration-change.ts';
import { sqlKeyRenewal } from './digest-key.ts';
import { sqlEndedGrants } from './ended-grants.ts';
import { sqlIssuedTokens } from './issued-tokens.ts';
import { sqlOwnerChanges } from './owner-changes.ts';
import { sqlResourceServers } from './resource-servers.ts';
import type { Schema } from './schema.ts';
import type { SessionEnds } from './session-ends.ts';
import { sqlSigningKeys } from './signing-keys.ts';
import type { TokenSegments } from './token-segments.ts';

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
