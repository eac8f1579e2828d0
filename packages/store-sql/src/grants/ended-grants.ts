import type { EndedGrants, EndOfAccess, GrantEndStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { idToBytes } from '../hot/token-id.ts';
import type { AfterCommit } from '../queries/after-commit.ts';
import type { Schema } from '../schema/schema.ts';
import { deleteConsents, isOfSubjects } from './deleted-consents.ts';
import { countEnd, endAccess } from './end-access.ts';

/**
 * @param db a transaction
 * @param endAgain where the parts of a commit can be seen one after the other: the end is made twice
 */
export function sqlEndedGrants(db: Kysely<Schema>, endAgain?: AfterCommit): GrantEndStore {
  const run = (end: (transaction: Kysely<Schema>) => Promise<EndedGrants>) => {
    endAgain?.((later) => later.transaction().execute(end));
    return end(db);
  };
  return {
    revoke: (ids, now) => revoke(db, ids, now),
    end: (grants, now) => run((transaction) => endGrants(transaction, grants, now)),
    endAccess: (access, now) => run((transaction) => endEach(transaction, access, now)),
  };
}

async function revoke(db: Kysely<Schema>, ids: readonly string[], now: number): Promise<number> {
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable('authorization_grant')
    .set({ revoked_at: now })
    .where('id', 'in', ids.map(idToBytes))
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

type Ended = Parameters<GrantEndStore['end']>[0];

async function endGrants(db: Kysely<Schema>, grants: Ended, now: number): Promise<EndedGrants> {
  if (grants.length === 0) return { grants: 0, consents: 0 };
  await countEnd(
    db,
    grants.map(({ subject }) => subject),
  );
  const ids = grants.map(({ id }) => id);
  const revoked = await revoke(db, ids, now);
  let consents = 0;
  // After the grants: a consent that is being saved keeps its grant from being revoked until it is stored.
  for (const [clientRecordId, ofClient] of Map.groupBy(grants, (grant) => grant.clientRecordId)) {
    const subjects = [...new Set(ofClient.map(({ subject }) => subject))];
    consents += await deleteConsents(db, isOfSubjects(subjects, clientRecordId));
  }
  return { grants: revoked, consents };
}

async function endEach(
  db: Kysely<Schema>,
  access: readonly EndOfAccess[],
  now: number,
): Promise<EndedGrants> {
  await countEnd(
    db,
    access.flatMap(({ subjects }) => subjects),
  );
  const total = { grants: 0, consents: 0 };
  for (const each of access) {
    const { grants, consents } = await endAccess(db, each, now);
    total.grants += grants;
    total.consents += consents;
  }
  return total;
}
