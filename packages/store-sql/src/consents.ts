import { type ConsentStore, formatScope } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import { parseScopes } from './scope-column.ts';

export function sqlConsents(db: Kysely<Schema>): ConsentStore {
  return {
    async find({ owner, clientRecordId, redirectUri }) {
      const row = await db
        .selectFrom('consent')
        .select('scopes')
        .where('client_record_id', '=', clientRecordId)
        .where('authority', '=', owner.authority)
        .where('principal_name', '=', owner.name)
        .where('redirect_uri', '=', redirectUri)
        .executeTakeFirst();
      return row === undefined ? [] : parseScopes(row.scopes);
    },

    async save({ owner, clientRecordId, redirectUri }, scopes, now) {
      const saved = { scopes: formatScope(scopes), saved_at: now };
      await db
        .insertInto('consent')
        .values({
          client_record_id: clientRecordId,
          authority: owner.authority,
          principal_name: owner.name,
          redirect_uri: redirectUri,
          ...saved,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['client_record_id', 'authority', 'principal_name', 'redirect_uri'])
            .doUpdateSet(saved),
        )
        .execute();
    },
  };
}
