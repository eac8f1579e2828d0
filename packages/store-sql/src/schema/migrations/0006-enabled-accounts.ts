import type { Migration } from './migration.ts';

/** When an account was enabled again, so that failed logins from before do not slow its user down. */
export const enabledAccounts: Migration = {
  summary: 'remembers the revision in which an account was enabled again',
  async up(db, types) {
    await db.schema
      .alterTable('account')
      .addColumn('enabled_revision', types.integer, (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
