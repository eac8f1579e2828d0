import type { ClientStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { mayContain } from './may-contain.ts';
import { toClient } from './record-columns.ts';
import type { Schema } from './schema.ts';

type ClientReads = Pick<ClientStore, 'find' | 'findById' | 'findByIds' | 'list' | 'count'>;

/** Rows of clients that are not deleted. */
export function activeClients(query: Kysely<Schema>) {
  return query.selectFrom('client').selectAll().where('deleted_at', 'is', null);
}

export function clientReads(db: Kysely<Schema>): ClientReads {
  return {
    async find(clientId) {
      const row = await activeClients(db).where('client_id', '=', clientId).executeTakeFirst();
      return row && toClient(row);
    },

    async findById(id) {
      const row = await activeClients(db).where('id', '=', id).executeTakeFirst();
      return row && toClient(row);
    },

    async findByIds(ids) {
      if (ids.length === 0) return [];
      return (await activeClients(db).where('id', 'in', ids).execute()).map(toClient);
    },

    async list({ resourceServerId, owner, after = 0, mayContain: text, limit }) {
      let query = activeClients(db).where('id', '>', after).orderBy('id').limit(limit);
      if (text !== undefined) query = query.where(mayContain(text, ['client_name', 'client_id', 'metadata']));
      if (resourceServerId !== undefined) query = query.where('resource_server_id', '=', resourceServerId);
      if (owner !== undefined) {
        query = query.where('resource_server_id', 'in', (select) =>
          select
            .selectFrom('resource_server')
            .select('id')
            .where('owner_name', '=', owner.name)
            .where('owner_identity_provider', '=', owner.identityProvider)
            .where('deleted_at', 'is', null),
        );
      }
      return (await query.execute()).map(toClient);
    },

    async count({ resourceServerId }) {
      let query = db.selectFrom('client').where('deleted_at', 'is', null);
      if (resourceServerId !== undefined) query = query.where('resource_server_id', '=', resourceServerId);
      const counted = query.select(({ fn }) => fn.countAll<number>().as('clients'));
      return (await counted.executeTakeFirstOrThrow()).clients;
    },
  };
}
