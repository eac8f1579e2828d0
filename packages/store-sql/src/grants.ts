import type { GrantStore, Identity } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { toGrant } from './grant-columns.ts';
import type { Schema } from './schema.ts';

const listLimit = 1000;

/** The half of the grant store that is not hot. */
export function sqlGrants(db: Kysely<Schema>): Pick<GrantStore, 'listByOwner' | 'withdraw'> {
  return {
    async listByOwner({ authority, name }: Identity, now) {
      const rows = await db
        .selectFrom('grant')
        .selectAll()
        .where('authority', '=', authority)
        .where('principal_name', '=', name)
        .where('revoked_at', 'is', null)
        .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
        .orderBy('id', 'desc')
        .limit(listLimit)
        .execute();
      return rows.map((row) => ({ grant: toGrant(row), lastUsed: row.last_used }));
    },

    withdraw: ({ authority, name }, clientRecordId, now) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('consent')
          .where('client_record_id', '=', clientRecordId)
          .where('authority', '=', authority)
          .where('principal_name', '=', name)
          .execute();
        const { numUpdatedRows } = await transaction
          .updateTable('grant')
          .set({ revoked_at: now })
          .where('authority', '=', authority)
          .where('principal_name', '=', name)
          .where('client_record_id', '=', clientRecordId)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows);
      }),
  };
}
