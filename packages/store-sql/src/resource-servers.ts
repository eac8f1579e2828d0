import type { Clock, ResourceServerStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { changeConfiguration } from './configuration-change.ts';
import { firstFree } from './first-free.ts';
import { resourceServerColumns, secretColumns, toResourceServer } from './record-columns.ts';
import type { Schema } from './schema.ts';

export function sqlResourceServers(db: Kysely<Schema>, clock: Clock): ResourceServerStore {
  const living = (query: Kysely<Schema>) =>
    query.selectFrom('resource_server').selectAll().where('deleted_at', 'is', null);

  return {
    create: (server, candidates) =>
      changeConfiguration(db, async (transaction, revision) => {
        const sameName = await living(transaction)
          .where('owner', '=', server.owner)
          .where('name', '=', server.name)
          .executeTakeFirst();
        if (sameName !== undefined) return undefined;
        const key = await firstFree(candidates, (candidate) =>
          living(transaction).where('key', '=', candidate).executeTakeFirst(),
        );
        const row = await transaction
          .insertInto('resource_server')
          .values({ ...resourceServerColumns(server), key, creation_date: clock.now(), revision })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toResourceServer(row);
      }),

    delete: (id) =>
      changeConfiguration(db, async (transaction, revision) => {
        const deletion = { deleted_at: clock.now(), revision };
        const { numUpdatedRows } = await transaction
          .updateTable('resource_server')
          .set(deletion)
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        await transaction
          .updateTable('client')
          .set(deletion)
          .where('resource_server_id', '=', id)
          .where('deleted_at', 'is', null)
          .execute();
        return numUpdatedRows > 0n;
      }),

    replaceSecret: (id, secret) =>
      changeConfiguration(db, async (transaction, revision) => {
        const { numUpdatedRows } = await transaction
          .updateTable('resource_server')
          .set({ ...secretColumns(secret), revision })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),

    async find(key) {
      const row = await living(db).where('key', '=', key).executeTakeFirst();
      return row && toResourceServer(row);
    },

    async list({ after = 0, limit }) {
      const rows = await living(db).where('id', '>', after).orderBy('id').limit(limit).execute();
      return rows.map(toResourceServer);
    },
  };
}
