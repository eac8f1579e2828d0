import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { ChangeConfiguration } from './configuration-change.ts';
import { appendToOutbox, readOutbox, removeFromOutbox } from './outbox.ts';

/** What one node asks all others on the database. Questions and answers stay there for moments only. */
export interface NodeQuestions {
  /**
   * Stores a question, and tells every node of a change ({@link ServerStore.followChanges}).
   *
   * @param now epoch milliseconds
   * @returns the number of the question
   */
  ask(question: string, now: number): Promise<number>;
  /** Questions with a greater number, in the order in which they were asked. @param since epoch milliseconds: not older ones */
  listAfter(last: number, since: number): Promise<NodeQuestion[]>;
  /** @param answer can become JSON */
  answer(question: number, answer: object, now: number): Promise<void>;
  answersTo(question: number): Promise<unknown[]>;
  /** Removes the question and its answers, and all that nodes left which ended meanwhile. @param before epoch milliseconds */
  remove(question: number, before: number): Promise<void>;
}

export interface NodeQuestion {
  readonly number: number;
  readonly question: string;
}

// More are not asked within the lifetime of a question.
const limit = 1000;

export function sqlNodeQuestions(db: Kysely<Schema>, change: ChangeConfiguration): NodeQuestions {
  const read = <Topic extends 'node_question' | 'node_answer'>(topic: Topic, after = 0) =>
    readOutbox(db, topic, { after, againBefore: 0, limit });
  const answers = async (question: number) =>
    (await read('node_answer', question)).filter(({ payload }) => payload.to === question);
  return {
    ask: (question, now) =>
      change((transaction) => appendToOutbox(transaction, 'node_question', { question }, now)),

    async listAfter(last, since) {
      const messages = await read('node_question', last);
      return messages
        .filter(({ creationDate }) => creationDate >= since)
        .map(({ sequenceNumber, payload }) => ({ number: sequenceNumber, question: payload.question }));
    },

    answer: (question, answer, now) =>
      db
        .transaction()
        .execute(
          async (transaction) =>
            void (await appendToOutbox(transaction, 'node_answer', { to: question, answer }, now)),
        ),

    answersTo: async (question) => (await answers(question)).map(({ payload }) => payload.answer),

    async remove(question, before) {
      const left = [...(await read('node_question')), ...(await read('node_answer'))].filter(
        ({ creationDate }) => creationDate < before,
      );
      const own = await answers(question);
      const numbers = [...left, ...own].map(({ sequenceNumber }) => sequenceNumber);
      await removeFromOutbox(db, [question, ...numbers]);
    },
  };
}
