import type { Migration } from './migration.ts';

/** Accounts whose password was beside a second factor that an administrator removed, so that it can be too short to be alone. */
export const longPasswords: Migration = {
  summary: 'remembers accounts whose password must be long enough to be alone',
  async up(db, types) {
    await db.schema
      .alterTable('account')
      .addColumn('needs_long_password', types.integer, (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
