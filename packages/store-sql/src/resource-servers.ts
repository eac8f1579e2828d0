import type { Clock, ResourceServerChange, ResourceServerStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { ChangeConfiguration } from './configuration-change.ts';
import { firstFree } from './first-free.ts';
import { nextNumber } from './number-sequence.ts';
import { appendToOutbox } from './outbox.ts';
import { resourceServerColumns, secretColumns, toResourceServer } from './record-columns.ts';
import type { Schema } from './schema.ts';

export function sqlResourceServers(
  db: Kysely<Schema>,
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): ResourceServerStore {
  const active = (query: Kysely<Schema>) =>
    query.selectFrom('resource_server').selectAll().where('deleted_at', 'is', null);
  const named = (
    query: Kysely<Schema>,
    {
      owner,
      ownerAuthority,
      name,
    }: Required<Pick<ResourceServerChange, 'owner' | 'ownerAuthority' | 'name'>>,
  ) =>
    active(query)
      .where('owner_name', '=', owner)
      .where('owner_identity_provider', '=', ownerAuthority)
      .where('server_name', '=', name)
      .executeTakeFirst();
  const rowById = (query: Kysely<Schema>, id: number) =>
    active(query).where('id', '=', id).executeTakeFirst();

  return {
    create: (server, candidates) =>
      changeConfiguration(async (transaction, revision) => {
        if ((await named(transaction, server)) !== undefined) return undefined;
        const key = await firstFree(candidates, (candidate) =>
          active(transaction).where('server_key', '=', candidate).executeTakeFirst(),
        );
        const row = await transaction
          .insertInto('resource_server')
          .values({
            id: await nextNumber(transaction, 'resource_server'),
            ...resourceServerColumns(server),
            server_key: key,
            creation_date: clock.now(),
            revision,
            deleted_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toResourceServer(row);
      }),

    update: (id, change) =>
      changeConfiguration(async (transaction, revision) => {
        const current = await rowById(transaction, id);
        if (current === undefined) return undefined;
        const server = { ...toResourceServer(current), ...change };
        const sameName = await named(transaction, server);
        if (sameName !== undefined && sameName.id !== id) return undefined;
        const row = await transaction
          .updateTable('resource_server')
          .set({ ...resourceServerColumns(server, current.metadata), revision })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return toResourceServer(row);
      }),

    delete: (id) =>
      changeConfiguration(async (transaction, revision) => {
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
        if (numUpdatedRows === 0n) return false;
        await appendToOutbox(transaction, 'tokens_ended', { resourceServerId: id }, clock.now());
        return true;
      }),

    replaceSecret: (id, secret) =>
      changeConfiguration(async (transaction, revision) => {
        const { numUpdatedRows } = await transaction
          .updateTable('resource_server')
          .set({ ...secretColumns(secret), revision })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),

    async find(key) {
      const row = await active(db).where('server_key', '=', key).executeTakeFirst();
      return row && toResourceServer(row);
    },

    async findById(id) {
      const row = await rowById(db, id);
      return row && toResourceServer(row);
    },

    async countRecords(owner, most) {
      const own = db
        .selectFrom('resource_server')
        .select('id')
        .where('owner_name', '=', owner.name)
        .where('owner_identity_provider', '=', owner.authority)
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

    async list({ owner, after = 0, limit }) {
      let query = active(db).where('id', '>', after).orderBy('id').limit(limit);
      if (owner !== undefined) {
        query = query
          .where('owner_name', '=', owner.name)
          .where('owner_identity_provider', '=', owner.authority);
      }
      return (await query.execute()).map(toResourceServer);
    },
  };
}
