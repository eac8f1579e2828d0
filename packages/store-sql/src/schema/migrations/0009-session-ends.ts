import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

/**
 * What was begun in a session before an end of access is not stored after it. A node of the release before does not compare the number,
 * and ends what it has stored too late by itself.
 */
export const sessionEnds: Migration = {
  summary:
    'counts in each login session how often access of its user has ended, and finds sessions by subject',
  async up(db, types) {
    await db.schema
      .alterTable('login_session')
      .addColumn('ends', types.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await createIndex(db, 'login_session', 'subject', ['subject', 'id']);
  },
};
