import type { StatisticsStore } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';

/** When secrets of clients were last used. */
export function sqlSecretUses(
  db: Kysely<Schema>,
  near: Kysely<Schema>,
): Pick<StatisticsStore, 'noteSecretUses' | 'secretUses'> {
  return {
    async noteSecretUses(uses) {
      if (uses.length === 0) return;
      // In the order of the key: nodes that lock rows in one order never wait for each other.
      const values = uses
        .toSorted((a, b) => a.clientRecordId - b.clientRecordId || a.secretId - b.secretId)
        .map(({ clientRecordId, secretId, lastUsed }) => `(${clientRecordId}, ${secretId}, ${lastUsed})`);
      await sql`insert into client_secret_use (client_record_id, secret_id, last_used) values ${sql.raw(values.join())}
        on conflict (client_record_id, secret_id) do update set last_used = excluded.last_used
        where client_secret_use.last_used < excluded.last_used`.execute(db);
    },

    async secretUses(clientRecordId) {
      const rows = await near
        .selectFrom('client_secret_use')
        .select(['secret_id', 'last_used'])
        .where('client_record_id', '=', clientRecordId)
        .execute();
      return new Map(rows.map(({ secret_id, last_used }) => [secret_id, last_used]));
    },
  };
}

/** Of a client of which these secrets are left. */
export async function forgetOtherUses(
  db: Kysely<Schema>,
  clientRecordId: number,
  secretIds: readonly number[],
): Promise<void> {
  let others = db.deleteFrom('client_secret_use').where('client_record_id', '=', clientRecordId);
  if (secretIds.length > 0) others = others.where('secret_id', 'not in', secretIds);
  await others.execute();
}
