import type { ClientStore, Clock } from '@watchword/protocol';
import { type Kysely, sql, type UpdateObject } from 'kysely';
import { changeConfiguration } from './configuration-change.ts';
import { firstFree } from './first-free.ts';
import { clientColumns, secretColumns, toClient } from './record-columns.ts';
import type { Schema } from './schema.ts';

export function sqlClients(db: Kysely<Schema>, clock: Clock): ClientStore {
  const living = (query: Kysely<Schema>) =>
    query.selectFrom('client').selectAll().where('deleted_at', 'is', null);

  const update = (id: number, columns: UpdateObject<Schema, 'client'>): Promise<boolean> =>
    changeConfiguration(db, async (transaction, revision) => {
      const { numUpdatedRows } = await transaction
        .updateTable('client')
        .set({ ...columns, revision })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    });

  return {
    create: (client, candidates) =>
      changeConfiguration(db, async (transaction, revision) => {
        const resourceServer = await transaction
          .selectFrom('resource_server')
          .select('id')
          .where('id', '=', client.resourceServerId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (resourceServer === undefined) return undefined;
        const clientId = await firstFree(candidates, (candidate) =>
          living(transaction).where('client_id', '=', candidate).executeTakeFirst(),
        );
        const row = await transaction
          .insertInto('client')
          .values({ ...clientColumns(client), client_id: clientId, creation_date: clock.now(), revision })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toClient(row);
      }),

    delete: (id) => update(id, { deleted_at: clock.now() }),

    replaceSecret: (id, secret) => update(id, secretColumns(secret)),

    // Never back: a clock that was set back must not bring revoked tokens to life.
    revokeTokens: (id, moment) =>
      update(id, {
        tokens_valid_from: sql<number>`case when tokens_valid_from < ${moment} then ${moment} else tokens_valid_from end`,
      }),

    async find(clientId) {
      const row = await living(db).where('client_id', '=', clientId).executeTakeFirst();
      return row && toClient(row);
    },

    async findByIds(ids) {
      if (ids.length === 0) return [];
      return (await living(db).where('id', 'in', ids).execute()).map(toClient);
    },

    async list({ resourceServerId, after = 0, limit }) {
      let query = living(db).where('id', '>', after).orderBy('id').limit(limit);
      if (resourceServerId !== undefined) query = query.where('resource_server_id', '=', resourceServerId);
      return (await query.execute()).map(toClient);
    },
  };
}
