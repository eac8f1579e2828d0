import type { Kysely } from 'kysely';
import { segmentsOfClient } from '../client-tokens.ts';
import { leastIdAt } from '../hot/token-id.ts';
import { inParts } from '../in-parts.ts';
import { type OutboxTopics, readOutbox, removeFromOutbox } from '../outbox.ts';
import type { Schema } from '../schema.ts';
import type { TokenSegments } from '../token-segments.ts';
import { inBatches, type PacedOptions, type PurgeOptions } from './batches.ts';

/** A client that was deleted, or whose tokens were revoked. */
interface EndedClient {
  readonly id: number;
  readonly isDeleted: boolean;
  /** Tokens and grants with a smaller id are no longer valid, because ids are ordered by the time of issue. */
  readonly end: Buffer;
}

interface Removed {
  accessTokens: number;
  consents: number;
  requestErrors: number;
  outboxMessages: number;
}

const messagesAtATime = 100;

/**
 * Does the work of the outbox messages: removes access tokens, consents and request errors of clients that were deleted, and the tokens
 * that were issued before all tokens of a client were revoked. Their grants are only revoked here, and removed afterwards
 * with their codes and tokens.
 *
 * A message is removed when it is older than `deletedBefore` and the rows of its deleted clients are removed. Until then a
 * token that was being issued at the time of the change can still be committed, so the work is done again.
 */
export async function deleteUnderEndedClients(
  db: Kysely<Schema>,
  segments: TokenSegments,
  options: PacedOptions,
): Promise<Removed> {
  const total = { accessTokens: 0, consents: 0, requestErrors: 0, outboxMessages: 0 };
  const done: number[] = [];
  for (let after = 0; ; ) {
    const messages = await readOutbox(db, 'tokens_ended', after, messagesAtATime);
    for (const { sequenceNumber, payload, creationDate } of messages) {
      const clients = await endedClients(db, payload);
      for (const client of clients) await deleteUnder(db, segments, client, options, total);
      if (options.signal?.aborted) return total;
      const isDone = creationDate < options.deletedBefore && !clients.some(({ isDeleted }) => isDeleted);
      if (isDone) done.push(sequenceNumber);
      after = sequenceNumber;
    }
    total.outboxMessages += await inBatches(options, async ({ batchSize }) => {
      const next = done.splice(0, batchSize);
      if (next.length > 0) await removeFromOutbox(db, next);
      return next.length;
    });
    if (messages.length < messagesAtATime) return total;
  }
}

async function deleteUnder(
  db: Kysely<Schema>,
  segments: TokenSegments,
  client: EndedClient,
  options: PacedOptions,
  total: Removed,
): Promise<void> {
  const held = await segmentsOfClient(db, segments, { clientRecordId: client.id, before: client.end });
  for (const part of held === undefined ? [undefined] : inParts(held)) {
    total.accessTokens += await inBatches(options, (batch) => deleteAccessTokens(db, client, part, batch));
  }
  await revokeGrants(db, client, options);
  if (!client.isDeleted) return;
  total.consents += await inBatches(options, (batch) => deleteConsents(db, client, batch));
  total.requestErrors += await inBatches(options, (batch) => deleteRequestErrors(db, client, batch));
}

/** The current state of the clients: a client whose tokens were revoked can be deleted later. */
async function endedClients(
  db: Kysely<Schema>,
  payload: OutboxTopics['tokens_ended'],
): Promise<EndedClient[]> {
  const ended = db.selectFrom('client').select(['id', 'tokens_valid_from', 'deleted_at']);
  const rows = await ('clientRecordId' in payload
    ? ended.where('id', '=', payload.clientRecordId)
    : ended.where('resource_server_id', '=', payload.resourceServerId).where('deleted_at', 'is not', null)
  ).execute();
  return rows.map(({ id, tokens_valid_from, deleted_at }) =>
    deleted_at === null
      ? { id, isDeleted: false, end: leastIdAt(tokens_valid_from + 1) }
      : { id, isDeleted: true, end: Buffer.alloc(16, 0xff) },
  );
}

async function deleteAccessTokens(
  db: Kysely<Schema>,
  { id, end }: EndedClient,
  segments: readonly number[] | undefined,
  { batchSize }: PurgeOptions,
): Promise<number> {
  let ended = db.selectFrom('access_token').select('id').where('client_record_id', '=', id);
  if (segments !== undefined) ended = ended.where('segment', 'in', segments);
  const { numDeletedRows } = await db
    .deleteFrom('access_token')
    .where('id', 'in', ended.where('id', '<', end).limit(batchSize))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function revokeGrants(
  db: Kysely<Schema>,
  { id, end }: EndedClient,
  options: PacedOptions,
): Promise<void> {
  // Continues after the last row, because the rows before it still exist, and are marked.
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
  { id }: EndedClient,
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

async function deleteRequestErrors(
  db: Kysely<Schema>,
  { id }: EndedClient,
  { batchSize }: PurgeOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('request_error')
    .where('id', 'in', (select) =>
      select.selectFrom('request_error').select('id').where('client_record_id', '=', id).limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
