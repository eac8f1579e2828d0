import type { EndedGrants, EndOfAccess } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { inParts } from '../queries/in-parts.ts';
import type { Schema } from '../schema/schema.ts';
import { deleteConsents, isOfSubjects } from './deleted-consents.ts';

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
