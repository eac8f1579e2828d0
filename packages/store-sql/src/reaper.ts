import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import { leastIdAt } from './token-id.ts';

export interface ReapOptions {
  /** Epoch milliseconds: tokens that expired before this moment go. */
  readonly expiredBefore: number;
  /** Epoch milliseconds: records deleted before this moment go, once nothing hangs on them. */
  readonly deletedBefore: number;
  /** Rows of one transaction: small enough that token requests hardly wait for it. */
  readonly batchSize: number;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

/** Rows removed. */
export interface ReapReport {
  readonly expiredTokens: number;
  readonly revokedTokens: number;
  readonly clients: number;
  readonly resourceServers: number;
}

/** Removes what is dead already: no answer of the service changes by it. */
export async function reap(db: Kysely<Schema>, options: ReapOptions): Promise<ReapReport> {
  const expiredTokens = await inBatches(options, () => deleteExpiredTokens(db, options));
  const revokedTokens = await deleteRevokedTokens(db, options);
  return { expiredTokens, revokedTokens, ...(await deleteRecords(db, options)) };
}

async function inBatches(
  { batchSize, signal }: ReapOptions,
  deleteBatch: () => Promise<bigint>,
): Promise<number> {
  let total = 0;
  for (;;) {
    if (signal?.aborted) return total;
    const deleted = Number(await deleteBatch());
    total += deleted;
    if (deleted < batchSize) return total;
  }
}

async function deleteExpiredTokens(
  db: Kysely<Schema>,
  { expiredBefore, batchSize }: ReapOptions,
): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('access_token')
    .where('id', 'in', (select) =>
      select
        .selectFrom('access_token')
        .select('id')
        .where('expires', '>', 0)
        .where('expires', '<', expiredBefore)
        .orderBy('expires')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows;
}

/** Tokens of clients that are deleted, and those issued before their client's tokens were revoked. */
async function deleteRevokedTokens(db: Kysely<Schema>, options: ReapOptions): Promise<number> {
  const clients = await db
    .selectFrom('client')
    .select(['id', 'tokens_valid_from', 'deleted_at'])
    .where((where) => where.or([where('deleted_at', 'is not', null), where('tokens_valid_from', '>', 0)]))
    .execute();
  let total = 0;
  for (const { id, tokens_valid_from, deleted_at } of clients) {
    // Ids are ordered by the time of issue. A token that was under way while its client was deleted comes a
    // moment later, so of a deleted client every token goes.
    const end = deleted_at === null ? leastIdAt(tokens_valid_from + 1) : Buffer.alloc(16, 0xff);
    total += await inBatches(options, () => deleteTokensUpTo(db, id, end, options.batchSize));
  }
  return total;
}

async function deleteTokensUpTo(
  db: Kysely<Schema>,
  clientRecordId: number,
  end: Buffer,
  batchSize: number,
): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('access_token')
    .where('id', 'in', (select) =>
      select
        .selectFrom('access_token')
        .select('id')
        .where('client_record_id', '=', clientRecordId)
        .where('id', '<', end)
        .orderBy('id')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows;
}

async function deleteRecords(
  db: Kysely<Schema>,
  { deletedBefore, signal }: ReapOptions,
): Promise<Pick<ReapReport, 'clients' | 'resourceServers'>> {
  if (signal?.aborted) return { clients: 0, resourceServers: 0 };
  return db.transaction().execute(async (transaction) => {
    const clients = await transaction
      .deleteFrom('client')
      .where('deleted_at', '<', deletedBefore)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('access_token')
              .select('access_token.id')
              .whereRef('access_token.client_record_id', '=', 'client.id'),
          ),
        ),
      )
      .returning('revision')
      .execute();
    const resourceServers = await transaction
      .deleteFrom('resource_server')
      .where('deleted_at', '<', deletedBefore)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('client')
              .select('client.id')
              .whereRef('client.resource_server_id', '=', 'resource_server.id'),
          ),
        ),
      )
      .returning('revision')
      .execute();
    const reaped = Math.max(0, ...[...clients, ...resourceServers].map(({ revision }) => revision));
    await transaction
      .updateTable('configuration')
      .set({ reaped_revision: reaped })
      .where('reaped_revision', '<', reaped)
      .execute();
    return { clients: clients.length, resourceServers: resourceServers.length };
  });
}
