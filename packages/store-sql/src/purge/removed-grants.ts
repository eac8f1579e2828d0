import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';

/**
 * Removes grants. The consents that were given with them stay, and are marked first: a consent is found by its grant, and once
 * that is removed by indexes that have only marked consents. A consent that is marked too early is still found once.
 *
 * @param isMeant further condition on the grants, checked in the statement that removes them
 */
export async function removeGrants(
  db: Kysely<Schema>,
  ids: readonly Uint8Array[],
  isMeant = sql<boolean>`true`,
): Promise<number> {
  if (ids.length === 0) return 0;
  await db
    .updateTable('consent')
    .set({ grant_removed: 1 })
    .where(
      sql<boolean>`(client_record_id, identity_provider, principal_name) in (
        select client_record_id, identity_provider, principal_name from authorization_grant
        where id in (${sql.join(ids)}))`,
    )
    .where('grant_id', 'in', ids)
    .where('grant_removed', '=', 0)
    .execute();
  const deletion = db.deleteFrom('authorization_grant').where('id', 'in', ids).where(isMeant);
  return Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows);
}
