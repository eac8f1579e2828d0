import type { Client, ClientQuery, ClientStore } from '@watchword/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { inParts } from '../queries/in-parts.ts';
import { namesResourceServer } from '../queries/other-servers-column.ts';
import type { Schema } from '../schema/schema.ts';
import { hasText, searchedKeys } from '../schema/search-columns.ts';
import { countManaged, isManaged, managedRow } from './managed.ts';
import { toClient } from './record-columns.ts';

type ClientReads = Pick<
  ClientStore,
  'find' | 'findById' | 'findByIds' | 'findByClientIds' | 'list' | 'listManaged' | 'countManaged' | 'count'
>;

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

    async findByClientIds(clientIds) {
      const found: Client[] = [];
      for (const part of inParts(clientIds)) {
        const rows = await activeClients(db).where('client_id', 'in', part).execute();
        found.push(...rows.map(toClient));
      }
      return found;
    },

    async listManaged(query = {}) {
      const rows = await activeClients(db).where(isManaged(query)).orderBy('id').execute();
      return rows.map((row) => managedRow(row, toClient));
    },

    countManaged: () => countManaged(activeClients(db)),

    async list({ mayContain: text, ...query }) {
      const clients = activeClients(db).orderBy('id').limit(query.limit);
      if (text === undefined) return (await clients.where(selected(query)).execute()).map(toClient);
      const isWanted = sql<boolean>`client.deleted_at is null and ${hasText(text, 'client')} and ${selected(query, sql`+`)}`;
      const searched = searchedKeys('client', 'id', isWanted, sql`order by client.id limit ${query.limit}`);
      return (await clients.where(sql<boolean>`id in ${searched}`).execute()).map(toClient);
    },

    async count(of) {
      const query = db.selectFrom('client').where('deleted_at', 'is', null).where(selected(of));
      const counted = query.select(({ fn }) => fn.countAll<number>().as('clients'));
      return (await counted.executeTakeFirstOrThrow()).clients;
    },
  };
}

/** @param sign a plus keeps indexes of these columns out of a search, which reads an index of its own */
function selected(
  { resourceServerId, otherResourceServerId, owner, after = 0 }: Omit<ClientQuery, 'limit'>,
  sign: RawBuilder<unknown> = sql``,
): RawBuilder<boolean> {
  const column = sql.ref('resource_server_id');
  const conditions = [sql`client.id > ${after}`];
  if (resourceServerId !== undefined) conditions.push(sql`${sign}${column} = ${resourceServerId}`);
  if (otherResourceServerId !== undefined) {
    const named = namesResourceServer(otherResourceServerId);
    conditions.push(sql`client.other_servers is not null and client.other_servers like ${named}`);
  }
  if (owner !== undefined) {
    conditions.push(sql`${sign}${column} in (select owned.id from resource_server as owned
      where owned.owner_name = ${owner.name} and owned.owner_identity_provider = ${owner.identityProvider}
        and owned.deleted_at is null)`);
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
