import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

/**
 * Finds the answers that nobody can ask for again. An answer is cleared by an empty text: a node of the release before takes a token
 * without any text for one that was not rotated.
 */
export const sealedAnswers: Migration = {
  summary: 'finds rotated refresh tokens with an answer, so that the purge can clear it after the grace',
  up: (db) =>
    createIndex(db, 'refresh_token', 'answer', ['rotated_at', 'id'], { where: ['sealed_answer', "> ''"] }),
};
