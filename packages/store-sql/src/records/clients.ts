import { type ClientStore, type Clock, changeDelay, latestNow } from '@watchword/protocol';
import type { Kysely, UpdateObject } from 'kysely';
import { nextNumber } from '../queries/number-sequence.ts';
import type { Schema } from '../schema/schema.ts';
import { withSameText } from '../schema/search-columns.ts';
import type { ChangeConfiguration } from '../work/configuration-change.ts';
import { appendToOutbox } from '../work/outbox.ts';
import { activeClients, clientReads } from './client-reads.ts';
import { clientScopes } from './client-scopes.ts';
import { firstFree } from './first-free.ts';
import { latestCreationDate } from './latest-creation-date.ts';
import { clientColumns, secretColumns, toClient } from './record-columns.ts';

export function sqlClients(
  db: Kysely<Schema>,
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): ClientStore {
  return {
    ...clientReads(db),
    ...clientScopes(changeConfiguration),
    ...clientRegistration(changeConfiguration, clock),
    ...clientChanges(changeConfiguration, clock),
  };
}

function clientRegistration(
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): Pick<ClientStore, 'create' | 'update'> {
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
          activeClients(transaction).where('client_id', '=', candidate).executeTakeFirst(),
        );
        const row = await transaction
          .insertInto('client')
          .values({
            id: await nextNumber(transaction, 'client'),
            ...clientColumns(client, clientId, revision),
            tokens_valid_from: Math.max(client.tokensValidFrom, await endOfLast(transaction, clientId)),
            creation_date: clock.now(),
            deleted_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toClient(row);
      }),

    update: (id, change) =>
      changeConfiguration(async (transaction, revision) => {
        const current = await activeClients(transaction).where('id', '=', id).executeTakeFirst();
        if (current === undefined) return undefined;
        const client = { ...toClient(current), ...change };
        const row = await transaction
          .updateTable('client')
          .set(clientColumns(client, current.client_id, revision, current.metadata))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return toClient(row);
      }),
  };
}

/** Epoch milliseconds: after that, nothing was issued to the last client of that name, which was deleted; 0 if there was none. */
async function endOfLast(db: Kysely<Schema>, clientId: string): Promise<number> {
  const { end } = await db
    .selectFrom('client')
    .select(({ fn }) => fn.max<number | null>('deleted_at').as('end'))
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return end === null ? 0 : Number(end) + changeDelay;
}

function clientChanges(
  changeConfiguration: ChangeConfiguration,
  clock: Clock,
): Pick<ClientStore, 'delete' | 'replaceSecret' | 'revokeTokens'> {
  /** @param endsTokens makes a message for the purge, which removes the tokens that are no longer valid */
  const set = (
    id: number,
    columns: UpdateObject<Schema, 'client'>,
    { endsTokens = false } = {},
  ): Promise<boolean> =>
    changeConfiguration(async (transaction, revision) => {
      const { numUpdatedRows } = await transaction
        .updateTable('client')
        .set({ ...columns, ...withSameText(revision) })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      if (endsTokens) await appendToOutbox(transaction, 'tokens_ended', { clientRecordId: id }, clock.now());
      return true;
    });

  return {
    delete: (id) => set(id, { deleted_at: latestCreationDate(latestNow(clock)) }, { endsTokens: true }),

    replaceSecret: (id, secret) => set(id, secretColumns(secret)),

    // The value never decreases: a clock that was set back must not make revoked tokens valid again.
    revokeTokens: (id, time) =>
      set(id, { tokens_valid_from: latestCreationDate(time) }, { endsTokens: true }),
  };
}
