import type { Kysely } from 'kysely';
import { nextNumber } from '../queries/number-sequence.ts';
import type { Schema } from '../schema/schema.ts';

/** The content of messages, by topic. */
export interface OutboxTopics {
  /**
   * Tokens and grants of a client are no longer valid, because the client was deleted or its tokens were revoked. Or those of
   * all clients of a resource server, which was deleted.
   */
  tokens_ended: { readonly clientRecordId: number } | { readonly resourceServerId: number };
  /** A node asks all others. */
  node_question: { readonly question: string };
  /** The answer of a node to the question with that sequence number. */
  node_answer: { readonly to: number; readonly answer: unknown };
}

export type OutboxTopic = keyof OutboxTopics;

export interface OutboxMessage<Topic extends OutboxTopic> {
  /** Greater than the sequence numbers of all messages that were committed before. */
  readonly sequenceNumber: number;
  readonly payload: OutboxTopics[Topic];
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** How often its work was done. */
  readonly timesDone: number;
}

/** Which messages are read. */
export interface DueMessages {
  /** The sequence number of the last message that was read; 0 for the first. */
  readonly after: number;
  /** Epoch milliseconds: messages that are younger are read only if their work was never done. */
  readonly againBefore: number;
  readonly limit: number;
}

/**
 * Stores a message in the transaction of the change that makes the work necessary: both are stored, or neither.
 *
 * @returns its sequence number
 */
export async function appendToOutbox<Topic extends OutboxTopic>(
  transaction: Kysely<Schema>,
  topic: Topic,
  payload: OutboxTopics[Topic],
  now: number,
): Promise<number> {
  const number = await nextNumber(transaction, 'outbox_message');
  await transaction
    .insertInto('outbox_message')
    .values({
      sequence_number: number,
      topic,
      payload: JSON.stringify(payload),
      creation_date: now,
      times_done: 0,
    })
    .execute();
  return number;
}

/**
 * The messages of a topic after the cursor, in the order of their commits. Every reader gets a message until it is
 * removed, so its work must be harmless if it is done twice.
 */
export async function readOutbox<Topic extends OutboxTopic>(
  db: Kysely<Schema>,
  topic: Topic,
  { after, againBefore, limit }: DueMessages,
): Promise<OutboxMessage<Topic>[]> {
  const rows = await db
    .selectFrom('outbox_message')
    .selectAll()
    .where('topic', '=', topic)
    .where('sequence_number', '>', after)
    .where((where) => where.or([where('times_done', '=', 0), where('creation_date', '<', againBefore)]))
    .orderBy('sequence_number')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    sequenceNumber: row.sequence_number,
    payload: JSON.parse(row.payload),
    creationDate: row.creation_date,
    timesDone: row.times_done,
  }));
}

/** Stores how often the work of messages was done. */
export async function noteInOutbox(
  db: Kysely<Schema>,
  sequenceNumbers: readonly number[],
  timesDone: number,
): Promise<void> {
  await db
    .updateTable('outbox_message')
    .set({ times_done: timesDone })
    .where('sequence_number', 'in', sequenceNumbers)
    .execute();
}

/** Removes messages whose work is done. */
export async function removeFromOutbox(
  db: Kysely<Schema>,
  sequenceNumbers: readonly number[],
): Promise<void> {
  await db.deleteFrom('outbox_message').where('sequence_number', 'in', sequenceNumbers).execute();
}
