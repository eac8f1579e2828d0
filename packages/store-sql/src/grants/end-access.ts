import type { EndedGrants, EndOfAccess, GrantEndStore } from '@watchword/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { idToBytes } from '../hot/token-id.ts';
import type { AfterCommit } from '../queries/after-commit.ts';
import { inParts } from '../queries/in-parts.ts';
import type { Schema } from '../schema/schema.ts';
import { endPart } from './end-part.ts';

/**
 * Deletes remembered consents: those that are found by a stored grant, and those whose grant is removed. Resolves with their
 * number.
 *
 * @param db a transaction
 * @param isMeant SQL condition on the subject, the owner and the client, which grants and consents have in columns of the same
 *   names
 */
export async function deleteConsents(db: Kysely<Schema>, isMeant: RawBuilder<boolean>): Promise<number> {
  const isOfGrant = (isOfIndex: RawBuilder<boolean>) =>
    sql<boolean>`(client_record_id, identity_provider, principal_name) in (
      select client_record_id, identity_provider, principal_name from authorization_grant
      where ${isMeant} and ${isOfIndex})`;
  let deleted = 0n;
  for (const isFound of [
    isOfGrant(sql`revoked_at is null`),
    isOfGrant(sql`revoked_at is not null`),
    sql<boolean>`grant_removed > 0`,
  ]) {
    const deletion = db.deleteFrom('consent').where(isFound).where(isMeant);
    deleted += (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
  }
  return Number(deleted);
}

/** With the plus, SQLite does not use an index by client, by which it would read every row of the client. */
function isOfSubjects(subjects: readonly string[], clientRecordId: number): RawBuilder<boolean> {
  return sql`subject in (${sql.join(subjects)}) and +client_record_id = ${clientRecordId}`;
}

/**
 * Waits for the changes by the administration that have begun, so that the next statements find the tokens that they issue, and keeps others
 * waiting: each increases the revision first.
 *
 * @param db a transaction
 */
export async function afterChanges(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('registry_revision')
    .set((update) => ({ revision: update.ref('revision') }))
    .execute();
}

/**
 * Counts an end in the login sessions of the subjects, before anything else of the end. It waits for what is being stored in them, so that
 * the next statements find it. What a request has begun in them before is not stored after it (`holdSession`).
 *
 * @param db a transaction
 */
export async function countEnd(db: Kysely<Schema>, subjects: readonly string[]): Promise<void> {
  for (const part of inParts([...new Set(subjects)])) {
    await db
      .updateTable('login_session')
      .set((update) => ({ ends: update('ends', '+', 1) }))
      .where('subject', 'in', part)
      .execute();
  }
}

/**
 * Ends the access of subjects for a client: all their grants, and what they consented to.
 *
 * @param db a transaction that has counted the end in their sessions
 */
export async function endAccess(
  db: Kysely<Schema>,
  { subjects, clientRecordId, since = 0 }: EndOfAccess,
  now: number,
): Promise<EndedGrants> {
  const ended = await db
    .updateTable('authorization_grant')
    .set({ revoked_at: now })
    .where(isOfSubjects(subjects, clientRecordId))
    .where('creation_date', '>=', since)
    .where('revoked_at', 'is', null)
    .returning('expires')
    .execute();
  // After the grants: a consent that is being saved keeps its grant from being revoked until it is stored.
  const consents = await deleteConsents(db, isOfSubjects(subjects, clientRecordId));
  return { grants: ended.filter(({ expires }) => expires === 0 || expires > now).length, consents };
}

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
    endAccess: (access, now) => run((transaction) => endEach(transaction, access, endAccess, now)),
    endParts: (parts, now) => run((transaction) => endEach(transaction, parts, endPart, now)),
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

async function endEach<End extends EndOfAccess>(
  db: Kysely<Schema>,
  access: readonly End[],
  endOne: (db: Kysely<Schema>, end: End, now: number) => Promise<EndedGrants>,
  now: number,
): Promise<EndedGrants> {
  await countEnd(
    db,
    access.flatMap(({ subjects }) => subjects),
  );
  const total = { grants: 0, consents: 0 };
  for (const each of access) {
    const { grants, consents } = await endOne(db, each, now);
    total.grants += grants;
    total.consents += consents;
  }
  return total;
}
