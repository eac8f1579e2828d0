import {
  type Clock,
  formerResources,
  type KnownUri,
  latestNow,
  listedTime,
  type ResourceServer,
  type ResourceServerStore,
} from '@watchword/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';
import { nextNumber } from '../queries/number-sequence.ts';
import type { ResourceServerTable, Schema } from '../schema/schema.ts';
import { hasText, searchedKeys, withSameText } from '../schema/search-columns.ts';
import type { ChangeConfiguration } from '../work/configuration-change.ts';
import { appendToOutbox } from '../work/outbox.ts';
import { countManaged, isManaged, managedRow } from './managed.ts';
import { firstFree, latestCreationDate } from './new-record.ts';
import {
  readFormerResources,
  resourceServerColumns,
  toResourceServer,
  withFormerResources,
} from './record-columns.ts';
import { secretColumns } from './secret-columns.ts';

type ResourceServerReads = Pick<
  ResourceServerStore,
  'find' | 'findById' | 'countRecords' | 'list' | 'listManaged' | 'countManaged' | 'listUris' | 'count'
>;

/** Rows of resource servers that are not deleted. */
function activeResourceServers(query: Kysely<Schema>) {
  return query.selectFrom('resource_server').selectAll().where('deleted_at', 'is', null);
}

function resourceServerReads(db: Kysely<Schema>, clock: Pick<Clock, 'now'>): ResourceServerReads {
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

    ...managedResourceServers(db),

    async listUris() {
      const now = clock.now();
      const rows = await db
        .selectFrom('resource_server')
        .selectAll()
        .where(sql<boolean>`(deleted_at is null or deleted_at >= ${now - listedTime})`)
        // As the metadata is written. In a text of it, quotation marks are escaped.
        .where(sql<boolean>`(metadata like '%"resources":["%' or metadata like '%"formerResources":[{%')`)
        .execute();
      return rows.flatMap((row) => urisOf(row, now));
    },

    async count() {
      const servers = db.selectFrom('resource_server').where('deleted_at', 'is', null);
      const counted = servers.select(({ fn }) => fn.countAll<number>().as('servers'));
      return (await counted.executeTakeFirstOrThrow()).servers;
    },
  };
}

function managedResourceServers(
  db: Kysely<Schema>,
): Pick<ResourceServerStore, 'listManaged' | 'countManaged'> {
  return {
    countManaged: () => countManaged(activeResourceServers(db)),

    async listManaged(query = {}) {
      const rows = await activeResourceServers(db).where(isManaged(query)).orderBy('id').execute();
      return rows.map((row) => managedRow(row, toResourceServer));
    },
  };
}

function urisOf(row: Selectable<ResourceServerTable>, now: number): KnownUri[] {
  const { id, key, resources } = toResourceServer(row);
  const former = readFormerResources(row).filter(({ until }) => until > now);
  const own = row.deleted_at === null ? resources.map((uri) => ({ uri, until: undefined })) : [];
  return [...own, ...former].map((uri) => ({ ...uri, id, key }));
}

export function sqlResourceServers(
  db: Kysely<Schema>,
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): ResourceServerStore {
  return {
    ...resourceServerReads(db, clock),
    ...resourceServerRegistration(changeConfiguration, clock),
    ...resourceServerChanges(changeConfiguration, clock),
  };
}

function resourceServerRegistration(
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): Pick<ResourceServerStore, 'create' | 'update'> {
  return {
    create: (server, candidates) =>
      changeConfiguration(async (transaction, revision) => {
        if ((await named(transaction, server)) !== undefined) return undefined;
        const key = await firstFree(candidates, (candidate) =>
          activeResourceServers(transaction).where('server_key', '=', candidate).executeTakeFirst(),
        );
        const row = await transaction
          .insertInto('resource_server')
          .values({
            id: await nextNumber(transaction, 'resource_server'),
            ...resourceServerColumns(server, key, revision),
            creation_date: clock.now(),
            deleted_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toResourceServer(row);
      }),

    update: (id, change) =>
      changeConfiguration(async (transaction, revision) => {
        const current = await activeResourceServers(transaction).where('id', '=', id).executeTakeFirst();
        if (current === undefined) return undefined;
        const before = toResourceServer(current);
        const server = { ...before, ...change };
        const sameName = await named(transaction, server);
        if (sameName !== undefined && sameName.id !== id) return undefined;
        const columns = resourceServerColumns(server, current.server_key, revision, current.metadata);
        const former = formerResources(readFormerResources(current), before, server, latestNow(clock));
        const row = await transaction
          .updateTable('resource_server')
          .set({ ...columns, metadata: withFormerResources(columns.metadata, former) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return toResourceServer(row);
      }),
  };
}

function resourceServerChanges(
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): Pick<ResourceServerStore, 'delete' | 'replaceSecret'> {
  return {
    delete: (id) =>
      changeConfiguration(async (transaction, revision) => {
        const now = latestNow(clock);
        const current = await activeResourceServers(transaction).where('id', '=', id).executeTakeFirst();
        if (current === undefined) return false;
        const former = formerResources(
          readFormerResources(current),
          toResourceServer(current),
          undefined,
          now,
        );
        const metadata = withFormerResources(current.metadata, former);
        await transaction
          .updateTable('resource_server')
          .set({ deleted_at: now, metadata, ...withSameText(revision) })
          .where('id', '=', id)
          .execute();
        await transaction
          .updateTable('client')
          .set({ deleted_at: latestCreationDate(now), ...withSameText(revision) })
          .where('resource_server_id', '=', id)
          .where('deleted_at', 'is', null)
          .execute();
        await appendToOutbox(transaction, 'tokens_ended', { resourceServerId: id }, clock.now());
        return true;
      }),

    replaceSecret: (id, secret) =>
      changeConfiguration(async (transaction, revision) => {
        const { numUpdatedRows } = await transaction
          .updateTable('resource_server')
          .set({ ...secretColumns(secret), ...withSameText(revision) })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),
  };
}

function named(
  query: Kysely<Schema>,
  { owner, ownerAuthority, name }: Pick<ResourceServer, 'owner' | 'ownerAuthority' | 'name'>,
) {
  return activeResourceServers(query)
    .where('owner_name', '=', owner)
    .where('owner_identity_provider', '=', ownerAuthority)
    .where('server_name', '=', name)
    .executeTakeFirst();
}
