import type { ResourceServerStore } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { hasText, searchedKeys } from '../schema/search-columns.ts';
import { toResourceServer } from './record-columns.ts';

type ResourceServerReads = Pick<ResourceServerStore, 'find' | 'findById' | 'countRecords' | 'list' | 'count'>;

/** Rows of resource servers that are not deleted. */
export function activeResourceServers(query: Kysely<Schema>) {
  return query.selectFrom('resource_server').selectAll().where('deleted_at', 'is', null);
}

export function resourceServerReads(db: Kysely<Schema>): ResourceServerReads {
  return {
    async find(key) {
      const row = await activeResourceServers(db).where('server_key', '=', key).executeTakeFirst();
      return row && toResourceServer(row);
    },

    async findById(id) {
      const row = await activeResourceServers(db).where('id', '=', id).executeTakeFirst();
      return row && toResourceServer(row);
    },

    async countRecords(owner, most) {
      const own = db
        .selectFrom('resource_server')
        .select('id')
        .where('owner_name', '=', owner.name)
        .where('owner_identity_provider', '=', owner.identityProvider)
        .where('deleted_at', 'is', null);
      const clients = db
        .selectFrom('client')
        .select('id')
        .where('resource_server_id', 'in', own)
        .where('deleted_at', 'is', null);
      const { records } = await db
        .selectFrom(own.unionAll(clients).limit(most).as('record'))
        .select(({ fn }) => fn.countAll<number>().as('records'))
        .executeTakeFirstOrThrow();
      return records;
    },

    async list({ owner, after = 0, mayContain: text, limit }) {
      const conditions = [sql`deleted_at is null and id > ${after}`];
      if (owner !== undefined) {
        conditions.push(
          sql`owner_name = ${owner.name} and owner_identity_provider = ${owner.identityProvider}`,
        );
      }
      if (text !== undefined) conditions.push(hasText(text, 'resource_server'));
      const isWanted = sql<boolean>`${sql.join(conditions, sql` and `)}`;
      const end = sql`order by id limit ${limit}`;
      const servers = db.selectFrom('resource_server').selectAll().orderBy('id').limit(limit);
      const searched = searchedKeys('resource_server', 'id', isWanted, end);
      const query = servers.where(text === undefined ? isWanted : sql<boolean>`id in ${searched}`);
      return (await query.execute()).map(toResourceServer);
    },

    async count() {
      const servers = db.selectFrom('resource_server').where('deleted_at', 'is', null);
      const counted = servers.select(({ fn }) => fn.countAll<number>().as('servers'));
      return (await counted.executeTakeFirstOrThrow()).servers;
    },
  };
}
