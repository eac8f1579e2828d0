import type { IssuedCount, StatisticsStore } from '@watchword/protocol';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { readTokensOfClient } from '../grants/client-tokens.ts';
import type { TokenSegments } from '../grants/token-segments.ts';
import { leastIdAt } from '../hot/token-id.ts';
import { inParts } from '../queries/in-parts.ts';
import { sqlSecretUses } from '../queries/secret-uses.ts';
import { type OrderedTable, tableWindows } from '../queries/table-windows.ts';
import type { IssuedByHourTable } from '../schema/history-tables.ts';
import type { Schema } from '../schema/schema.ts';
import { accessToClients } from './access-to-clients.ts';
import { addIssuedToClients, issuedToClient } from './issued-to-client.ts';

const firstId = Buffer.alloc(0);

/** All tokens, in the order of the smallest index that has all of them. */
function all({ indexKey: key }: TokenSegments): OrderedTable {
  return {
    table: 'access_token',
    where: 'client_record_id >= 0',
    key,
    start: key.map((column) => (column === 'id' ? firstId : 0)),
  };
}

/** Expired tokens that the purge has not removed yet, in the order of the index of expiry. */
function expired(now: number): OrderedTable {
  return {
    table: 'access_token',
    where: `expires > 0 and expires <= ${now}`,
    key: ['expires', 'id'],
    start: [0, firstId],
  };
}

/**
 * Counts the stored access tokens that have not expired, in small parts of two indexes. Tokens of a revoked grant or of a
 * deleted client are among them until the purge removes them.
 *
 * @param now epoch milliseconds
 * @param signal stops between two parts
 */
export async function countActiveTokens(
  db: Kysely<Schema>,
  segments: TokenSegments,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const tokens = await countRows(db, all(segments), signal);
  return Math.max(0, tokens - (await countRows(db, expired(now), signal)));
}

async function countRows(db: Kysely<Schema>, table: OrderedTable, signal: AbortSignal): Promise<number> {
  const windows = tableWindows(db, table, (condition) =>
    db
      .selectFrom(table.table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where(condition)
      .execute(),
  );
  let total = 0;
  for await (const [window] of windows) {
    signal.throwIfAborted();
    total += Number(window?.rows);
  }
  return total;
}

/** Represents all resource servers together. No resource server has this id. */
const everything = 0;

/**
 * The number of issued tokens in each hour, by resource server and also in total. So the statistics for administrators are
 * read without adding the counts of all resource servers.
 */
function issuedByHour(
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

/** @param near for lookups by key, which must not start the thread of the lists */
export function sqlStatistics(
  db: Kysely<Schema>,
  near: Kysely<Schema>,
  segments: TokenSegments,
): StatisticsStore {
  return {
    async countOf({ id, tokensValidFrom }, now, limit) {
      const least = leastIdAt(tokensValidFrom + 1);
      const isUnexpired = (where: ExpressionBuilder<{ newest: { expires: number } }, 'newest'>) =>
        where.or([where('newest.expires', '=', 0), where('newest.expires', '>', now)]);
      const newest = { clientRecordId: id, order: 'desc', after: least } as const;
      const tokens = await readTokensOfClient(
        db,
        segments,
        newest,
        limit,
        db.selectFrom('access_token as token').select(['token.id', 'token.expires']),
      );
      const ofGrants = await db
        .selectFrom((from) =>
          from
            .selectFrom((newest) =>
              newest
                .selectFrom('authorization_grant')
                .select(['identity_provider', 'principal_name', 'expires', 'revoked_at'])
                .where('client_record_id', '=', id)
                .where('id', '>=', least)
                .orderBy('id', 'desc')
                .limit(limit)
                .as('newest'),
            )
            .select(({ fn }) => fn.countAll<number>().as('read'))
            .select(({ fn }) =>
              fn
                .countAll<number>()
                .filterWhere((where) => where.and([where('revoked_at', 'is', null), isUnexpired(where)]))
                .as('valid'),
            )
            .groupBy(['identity_provider', 'principal_name'])
            .as('owner'),
        )
        .select(({ fn }) => fn.sum<number>('read').as('read'))
        .select(({ fn }) => fn.countAll<number>().filterWhere('valid', '>', 0).as('owners'))
        .executeTakeFirstOrThrow();
      return {
        tokens: tokens.filter(({ expires }) => expires === 0 || expires > now).length,
        resourceOwners: Number(ofGrants.owners),
        read: tokens.length + Number(ofGrants.read ?? 0),
      };
    },

    ...issuedByHour(db, near),
    ...issuedToClient(db),
    ...accessToClients(db),
    ...sqlSecretUses(db, near),
  };
}
