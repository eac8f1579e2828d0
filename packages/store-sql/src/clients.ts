import type { ClientStore, Clock, Scopes } from '@watchword/protocol';
import { type Kysely, sql, type Transaction, type UpdateObject } from 'kysely';
import type { ChangeConfiguration } from './configuration-change.ts';
import { firstFree } from './first-free.ts';
import { nextNumber } from './number-sequence.ts';
import { appendToOutbox } from './outbox.ts';
import { clientColumns, secretColumns, toClient } from './record-columns.ts';
import type { Schema } from './schema.ts';

export function sqlClients(
  db: Kysely<Schema>,
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): ClientStore {
  const active = (query: Kysely<Schema>) =>
    query.selectFrom('client').selectAll().where('deleted_at', 'is', null);

  const rowById = (query: Kysely<Schema>, id: number) =>
    active(query).where('id', '=', id).executeTakeFirst();

  const withScopes = async (query: Kysely<Schema>, resourceServerId: number, scopes: Scopes) => {
    const ofServer = await active(query).where('resource_server_id', '=', resourceServerId).execute();
    return ofServer.map(toClient).filter((client) => client.scopes.some((scope) => scopes.includes(scope)));
  };

  const updateThoseWith = (transaction: Transaction<Schema>, resourceServerId: number, scope: string) => {
    const { padded, without } = paddedScopes(scope);
    return transaction
      .updateTable('client')
      .where('resource_server_id', '=', resourceServerId)
      .where('deleted_at', 'is', null)
      .where(without, '<>', padded);
  };

  /** @param endsTokens leaves the removal of the tokens that are not valid any more to the purge */
  const set = (
    id: number,
    columns: UpdateObject<Schema, 'client'>,
    { endsTokens = false } = {},
  ): Promise<boolean> =>
    changeConfiguration(async (transaction, revision) => {
      const { numUpdatedRows } = await transaction
        .updateTable('client')
        .set({ ...columns, revision })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      if (endsTokens) await appendToOutbox(transaction, 'tokens_ended', { clientRecordId: id }, clock.now());
      return true;
    });

  return {
    create: (client, candidates) =>
      changeConfiguration(async (transaction, revision) => {
        const resourceServer = await transaction
          .selectFrom('resource_server')
          .select('id')
          .where('id', '=', client.resourceServerId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (resourceServer === undefined) return undefined;
        const clientId = await firstFree(candidates, (candidate) =>
          active(transaction).where('client_id', '=', candidate).executeTakeFirst(),
        );
        const row = await transaction
          .insertInto('client')
          .values({
            id: await nextNumber(transaction, 'client'),
            ...clientColumns(client),
            client_id: clientId,
            creation_date: clock.now(),
            revision,
            deleted_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toClient(row);
      }),

    update: (id, change) =>
      changeConfiguration(async (transaction, revision) => {
        const current = await rowById(transaction, id);
        if (current === undefined) return undefined;
        const columns = clientColumns({ ...toClient(current), ...change }, current.metadata);
        const row = await transaction
          .updateTable('client')
          .set({ ...columns, revision })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return toClient(row);
      }),

    loseScopes: (resourceServerId, scopes) =>
      changeConfiguration(async (transaction, revision) => {
        const affected = await withScopes(transaction, resourceServerId, scopes);
        // One statement a scope, for any number of clients; each scope stands in the column once.
        for (const scope of scopes) {
          await updateThoseWith(transaction, resourceServerId, scope)
            .set({ scopes: sql<string>`trim(${paddedScopes(scope).without})`, revision })
            .execute();
        }
        return affected;
      }),

    endTrust: (resourceServerId, scopes) =>
      changeConfiguration(async (transaction, revision) => {
        const found = await withScopes(transaction, resourceServerId, scopes);
        for (const scope of scopes) {
          await updateThoseWith(transaction, resourceServerId, scope)
            .where((row) => row.or([row('skip_consent', '=', 1), row('is_trusted', '=', 1)]))
            .set({ skip_consent: 0, is_trusted: 0, revision })
            .execute();
        }
        return found.filter(({ skipConsent, trusted }) => skipConsent || trusted);
      }),

    delete: (id) => set(id, { deleted_at: clock.now() }, { endsTokens: true }),

    replaceSecret: (id, secret) => set(id, secretColumns(secret)),

    // Only ever raised: a clock that was set back must not make revoked tokens valid again.
    revokeTokens: (id, time) =>
      set(
        id,
        {
          tokens_valid_from: sql<number>`case when tokens_valid_from < ${time} then ${time} else tokens_valid_from end`,
        },
        { endsTokens: true },
      ),

    async find(clientId) {
      const row = await active(db).where('client_id', '=', clientId).executeTakeFirst();
      return row && toClient(row);
    },

    async findById(id) {
      const row = await rowById(db, id);
      return row && toClient(row);
    },

    async findByIds(ids) {
      if (ids.length === 0) return [];
      return (await active(db).where('id', 'in', ids).execute()).map(toClient);
    },

    async list({ resourceServerId, owner, after = 0, limit }) {
      let query = active(db).where('id', '>', after).orderBy('id').limit(limit);
      if (resourceServerId !== undefined) query = query.where('resource_server_id', '=', resourceServerId);
      if (owner !== undefined) {
        query = query.where('resource_server_id', 'in', (select) =>
          select
            .selectFrom('resource_server')
            .select('id')
            .where('owner_name', '=', owner.name)
            .where('owner_identity_provider', '=', owner.authority)
            .where('deleted_at', 'is', null),
        );
      }
      return (await query.execute()).map(toClient);
    },
  };
}

/** The column with a space at each end, and without the scope: they differ where it has it. */
function paddedScopes(scope: string) {
  const padded = sql<string>`' ' || scopes || ' '`;
  return { padded, without: sql<string>`replace(${padded}, ${` ${scope} `}, ' ')` };
}
