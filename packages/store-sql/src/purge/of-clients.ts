import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { leastIdAt } from '../token-id.ts';
import { inBatches, type PacedOptions, type PurgeOptions } from './batches.ts';

/** A client that is deleted, or whose tokens were all revoked at some moment. */
interface DeadClient {
  readonly id: number;
  readonly isDeleted: boolean;
  /** What has a lesser id is dead: ids are ordered by the time of issue. */
  readonly end: Buffer;
}

/**
 * Removes access tokens and consents of clients that are deleted, and what was issued before all tokens of
 * a client were revoked. Their grants are only marked as revoked: what is under them comes first.
 */
export async function deleteUnderDeadClients(
  db: Kysely<Schema>,
  options: PacedOptions,
): Promise<{ accessTokens: number; consents: number }> {
  let accessTokens = 0;
  let consents = 0;
  for (const client of await deadClients(db)) {
    accessTokens += await inBatches(options, (batch) => deleteAccessTokens(db, client, batch));
    await revokeGrants(db, client, options);
    if (client.isDeleted) consents += await inBatches(options, (batch) => deleteConsents(db, client, batch));
  }
  return { accessTokens, consents };
}

async function deadClients(db: Kysely<Schema>): Promise<DeadClient[]> {
  const rows = await db
    .selectFrom('client')
    .select(['id', 'tokens_valid_from', 'deleted_at'])
    .where((where) => where.or([where('deleted_at', 'is not', null), where('tokens_valid_from', '>', 0)]))
    .execute();
  return rows.map(({ id, tokens_valid_from, deleted_at }) =>
    deleted_at === null
      ? { id, isDeleted: false, end: leastIdAt(tokens_valid_from + 1) }
      : // What was under way while its client was deleted comes a moment later: of a deleted client all goes.
        { id, isDeleted: true, end: Buffer.alloc(16, 0xff) },
  );
}

async function deleteAccessTokens(
  db: Kysely<Schema>,
  { id, end }: DeadClient,
  { batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('access_token')
    .where('id', 'in', (select) =>
      select
        .selectFrom('access_token')
        .select('id')
        .where('client_record_id', '=', id)
        .where('id', '<', end)
        .orderBy('id')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function revokeGrants(
  db: Kysely<Schema>,
  { id, end }: DeadClient,
  options: PacedOptions,
): Promise<void> {
  // Goes on behind the last one: those before it are still there, and marked.
  let after: Uint8Array = Buffer.alloc(16);
  await inBatches(options, async ({ batchSize }) => {
    const revoked = await db
      .updateTable('authorization_grant')
      .set((update) => ({ revoked_at: update.ref('last_used') }))
      .where('id', 'in', (select) =>
        select
          .selectFrom('authorization_grant')
          .select('id')
          .where('client_record_id', '=', id)
          .where('id', '>', after)
          .where('id', '<', end)
          .where('revoked_at', 'is', null)
          .orderBy('id')
          .limit(batchSize),
      )
      .returning('id')
      .execute();
    for (const row of revoked) if (Buffer.compare(row.id, after) > 0) after = row.id;
    return revoked.length;
  });
}

async function deleteConsents(
  db: Kysely<Schema>,
  { id }: DeadClient,
  { batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('consent')
    .where('client_record_id', '=', id)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('identity_provider', 'principal_name', 'redirect_uri'),
        'in',
        selectFrom('consent')
          .select(['identity_provider', 'principal_name', 'redirect_uri'])
          .where('client_record_id', '=', id)
          .limit(batchSize)
          .$asTuple('identity_provider', 'principal_name', 'redirect_uri'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
