import type { Kysely } from 'kysely';
import { nextNumber } from './number-sequence.ts';
import type { Schema } from './schema.ts';

/** What messages say, by their topic. */
export interface OutboxTopics {
  /**
   * Tokens and grants of a client are not valid any more: it was deleted, or its tokens were revoked. Or of all clients of a
   * resource server, which were deleted with it.
   */
  tokens_ended: { readonly clientRecordId: number } | { readonly resourceServerId: number };
}

export type OutboxTopic = keyof OutboxTopics;

export interface OutboxMessage<Topic extends OutboxTopic> {
  /** Greater than that of every message that was committed before. */
  readonly sequenceNumber: number;
  readonly payload: OutboxTopics[Topic];
  /** Epoch milliseconds. */
  readonly creationDate: number;
}

/** Leaves work behind, in the transaction of the change that makes it necessary: both are done or neither. */
export async function appendToOutbox<Topic extends OutboxTopic>(
  transaction: Kysely<Schema>,
  topic: Topic,
  payload: OutboxTopics[Topic],
  now: number,
): Promise<void> {
  await transaction
    .insertInto('outbox_message')
    .values({
      sequence_number: await nextNumber(transaction, 'outbox_message'),
      topic,
      payload: JSON.stringify(payload),
      creation_date: now,
    })
    .execute();
}

/**
 * The messages of a topic after the cursor, in the order of their commits. A message is read by every reader until it is
 * removed, so that its work must do no harm when it is done twice.
 *
 * @param after the sequence number of the last message that was read; 0 at first
 */
export async function readOutbox<Topic extends OutboxTopic>(
  db: Kysely<Schema>,
  topic: Topic,
  after: number,
  limit: number,
): Promise<OutboxMessage<Topic>[]> {
  const rows = await db
    .selectFrom('outbox_message')
    .selectAll()
    .where('topic', '=', topic)
    .where('sequence_number', '>', after)
    .orderBy('sequence_number')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    sequenceNumber: row.sequence_number,
    payload: JSON.parse(row.payload),
    creationDate: row.creation_date,
  }));
}

/** Removes messages whose work is done. */
export async function removeFromOutbox(
  db: Kysely<Schema>,
  sequenceNumbers: readonly number[],
): Promise<void> {
  await db.deleteFrom('outbox_message').where('sequence_number', 'in', sequenceNumbers).execute();
}
