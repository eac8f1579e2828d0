import type { IssuedCount, StatisticsStore } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import { inParts } from '../queries/in-parts.ts';
import type { IssuedByHourTable } from '../schema/history-tables.ts';
import type { Schema } from '../schema/schema.ts';
import { addIssuedToClients } from './issued-to-client.ts';

/** Represents all resource servers together. No resource server has this id. */
const everything = 0;

/**
 * The number of issued tokens in each hour, by resource server and also in total. So the statistics for administrators are
 * read without adding the counts of all resource servers.
 */
export function issuedByHour(
  db: Kysely<Schema>,
  near: Kysely<Schema>,
): Pick<StatisticsStore, 'addIssued' | 'issued'> {
  return {
    async addIssued(counts) {
      if (counts.length === 0) return;
      const rows = sumsOf(counts, await serversOf(near, counts));
      // One transaction: counts that could not be stored are stored later, and must not be added twice.
      await db.transaction().execute(async (transaction) => {
        for (const part of inParts(rows)) {
          await transaction
            .insertInto('issued_by_hour')
            .values(part)
            .onConflict((conflict) =>
              conflict.columns(['resource_server_id', 'epoch_hour', 'grant_type']).doUpdateSet((update) => ({
                tokens: update('issued_by_hour.tokens', '+', update.ref('excluded.tokens')),
              })),
            )
            .execute();
        }
        await addIssuedToClients(transaction, counts);
      });
    },

    async issued({ from, until, owner }) {
      let query = db
        .selectFrom('issued_by_hour')
        .select(['epoch_hour', 'grant_type'])
        .select(({ fn }) => fn.sum<number>('tokens').as('tokens'))
        .where('epoch_hour', '>=', from)
        .where('epoch_hour', '<', until)
        .groupBy(['epoch_hour', 'grant_type'])
        .orderBy('epoch_hour')
        .orderBy('grant_type');
      if (owner === undefined) query = query.where('resource_server_id', '=', everything);
      else {
        query = query.where('resource_server_id', 'in', (select) =>
          select
            .selectFrom('resource_server')
            .select('id')
            .where('deleted_at', 'is', null)
            .where('owner_name', '=', owner.name)
            .where('owner_identity_provider', '=', owner.identityProvider),
        );
      }
      return (await query.execute()).map(({ epoch_hour, grant_type, tokens }) => ({
        hour: epoch_hour,
        grantType: grant_type,
        tokens: Number(tokens),
      }));
    },
  };
}

/** The resource server of each client that is not purged. */
async function serversOf(near: Kysely<Schema>, counts: readonly IssuedCount[]): Promise<Map<number, number>> {
  const ids = new Set(counts.map(({ clientRecordId }) => clientRecordId));
  const found = await near
    .selectFrom('client')
    .select(['id', 'resource_server_id'])
    .where(sql<boolean>`id in (${sql.raw([...ids].join())})`)
    .execute();
  return new Map(found.map(({ id, resource_server_id }) => [id, resource_server_id]));
}

/** One row for each key, in the order of the keys: nodes that lock rows in one order never wait for each other. */
function sumsOf(counts: readonly IssuedCount[], servers: ReadonlyMap<number, number>): IssuedByHourTable[] {
  const sums = new Map<string, IssuedByHourTable>();
  for (const { clientRecordId, hour, grantType, tokens } of counts) {
    for (const id of [everything, servers.get(clientRecordId)]) {
      if (id === undefined) continue;
      const key = `${id} ${hour} ${grantType}`;
      const sum = (sums.get(key)?.tokens ?? 0) + tokens;
      sums.set(key, { resource_server_id: id, epoch_hour: hour, grant_type: grantType, tokens: sum });
    }
  }
  return [...sums.values()].sort(
    (a, b) =>
      a.resource_server_id - b.resource_server_id ||
      a.epoch_hour - b.epoch_hour ||
      (a.grant_type < b.grant_type ? -1 : 1),
  );
}
