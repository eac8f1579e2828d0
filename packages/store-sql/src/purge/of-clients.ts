import { type Kysely, sql } from 'kysely';
import { segmentsOfClient } from '../grants/client-tokens.ts';
import type { TokenSegments } from '../grants/token-segments.ts';
import { leastIdAt } from '../hot/token-id.ts';
import { inParts } from '../queries/in-parts.ts';
import type { Schema } from '../schema/schema.ts';
import { noteInOutbox, type OutboxMessage, readOutbox, removeFromOutbox } from '../work/outbox.ts';
import { inBatches, type PacedOptions, type PurgeOptions } from './batches.ts';
import { isUnlisted, jwtResourceServers } from './jwt-clients.ts';

type Message = OutboxMessage<'tokens_ended'>;

/** A client that was deleted, or whose tokens were revoked. */
interface EndedClient {
  readonly id: number;
  readonly isDeleted: boolean;
  /** Its row is removed as soon as no row belongs to it. */
  readonly isRemovable: boolean;
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
 * The work is done at once, and again when the message is older than `deletedBefore`: until then a token that was being issued at
 * the time of the change can still be committed. The message has the number of times. It is removed with the last of its deleted
 * clients. A client that could be removed by then, and is left, has got rows since: its work is done once more.
 */
export async function deleteUnderEndedClients(
  db: Kysely<Schema>,
  segments: TokenSegments,
  options: PacedOptions,
): Promise<Removed> {
  const total = { accessTokens: 0, consents: 0, requestErrors: 0, outboxMessages: 0 };
  const servers = await jwtResourceServers(db);
  for (let after = 0; ; ) {
    const due = { after, againBefore: options.deletedBefore, limit: messagesAtATime };
    const messages = await readOutbox(db, 'tokens_ended', due);
    const ended = await endedClients(db, messages, servers, options);
    for (const client of clientsWithWork(ended, options)) {
      await deleteUnder(db, segments, client, options, total);
    }
    if (options.signal?.aborted) return total;
    total.outboxMessages += await noteWork(db, ended, options);
    if (messages.length < messagesAtATime) return total;
    after = messages.at(-1)?.sequenceNumber ?? after;
  }
}

/** A message, and the clients that it is about, as they are now: a client whose tokens were revoked can be deleted later. */
type Ended = readonly [message: Message, clients: readonly EndedClient[]];

/** How often the work of a message is done by the end of this purge. */
function timesDue({ creationDate }: Message, { deletedBefore }: PurgeOptions): number {
  return creationDate < deletedBefore ? 2 : 1;
}

/** Each client once, although several messages can be about it. */
function clientsWithWork(ended: readonly Ended[], options: PurgeOptions): Iterable<EndedClient> {
  const withWork = ended.flatMap(([message, clients]) =>
    message.timesDone < timesDue(message, options) ? clients : clients.filter((client) => client.isRemovable),
  );
  return new Map(withWork.map((client) => [client.id, client])).values();
}

/** Resolves with the number of messages that were removed. */
async function noteWork(db: Kysely<Schema>, ended: readonly Ended[], options: PacedOptions): Promise<number> {
  const isOver = ([message, clients]: Ended) =>
    timesDue(message, options) > 1 && !clients.some(({ isDeleted }) => isDeleted);
  const { done = [], over = [] } = Object.groupBy(ended, (each) => (isOver(each) ? 'over' : 'done'));
  for (const times of [1, 2]) {
    const noted = done.filter(([each]) => each.timesDone < times && timesDue(each, options) === times);
    await inNumbers(noted, options, (numbers) => noteInOutbox(db, numbers, times));
  }
  return inNumbers(over, options, (numbers) => removeFromOutbox(db, numbers));
}

function inNumbers(
  ended: readonly Ended[],
  options: PacedOptions,
  change: (sequenceNumbers: readonly number[]) => Promise<void>,
): Promise<number> {
  const left = ended.map(([{ sequenceNumber }]) => sequenceNumber);
  return inBatches(options, async ({ batchSize }) => {
    const next = left.splice(0, batchSize);
    if (next.length > 0) await change(next);
    return next.length;
  });
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

async function endedClients(
  db: Kysely<Schema>,
  messages: readonly Message[],
  jwtServers: readonly number[],
  { deletedBefore, expiredBefore, answeredBefore = deletedBefore }: PurgeOptions,
): Promise<Ended[]> {
  const [ofClients, ofServers]: [number[], number[]] = [[], []];
  for (const { payload } of messages) {
    if ('clientRecordId' in payload) ofClients.push(payload.clientRecordId);
    else ofServers.push(payload.resourceServerId);
  }
  const read = async (column: 'id' | 'resource_server_id', ids: readonly number[]) => {
    if (ids.length === 0) return [];
    return db
      .selectFrom('client')
      .select(['id', 'resource_server_id', 'tokens_valid_from', 'deleted_at'])
      .select(({ and, eb }) => {
        const isRemovable = and([
          // Codes that could still answer a page stay until then, and so do their grants.
          eb('deleted_at', '<', Math.min(deletedBefore, answeredBefore)),
          isUnlisted(eb, jwtServers, { expiredBefore }),
        ]);
        return sql<number>`case when ${isRemovable} then 1 else 0 end`.as('is_removable');
      })
      .where(column, 'in', ids)
      .execute();
  };
  const [byId, byServer] = [
    Map.groupBy(await read('id', ofClients), ({ id }) => id),
    Map.groupBy(await read('resource_server_id', ofServers), (client) => client.resource_server_id),
  ];
  return messages.map((message) => {
    const { payload } = message;
    const rows =
      'clientRecordId' in payload
        ? byId.get(payload.clientRecordId)
        : byServer.get(payload.resourceServerId)?.filter(({ deleted_at }) => deleted_at !== null);
    return [message, (rows ?? []).map(toEndedClient)];
  });
}

function toEndedClient({
  id,
  tokens_valid_from,
  deleted_at,
  is_removable,
}: Pick<Schema['client'], 'tokens_valid_from' | 'deleted_at'> & {
  readonly id: number;
  readonly is_removable: number;
}): EndedClient {
  return deleted_at === null
    ? { id, isDeleted: false, isRemovable: false, end: leastIdAt(tokens_valid_from + 1) }
    : { id, isDeleted: true, isRemovable: is_removable === 1, end: Buffer.alloc(16, 0xff) };
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
