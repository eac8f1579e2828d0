import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';

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
export function isOfSubjects(subjects: readonly string[], clientRecordId: number): RawBuilder<boolean> {
  return sql`subject in (${sql.join(subjects)}) and +client_record_id = ${clientRecordId}`;
}
