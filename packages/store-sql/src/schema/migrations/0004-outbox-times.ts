import type { Migration } from './migration.ts';

/** A node of the release before stores messages without the number, and does the work of each at each purge. */
export const outboxTimes: Migration = {
  summary: 'adds how often the work of a message was done, so that the purge does not repeat it',
  async up(db, types) {
    await db.schema
      .alterTable('outbox_message')
      .addColumn('times_done', types.integer, (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
