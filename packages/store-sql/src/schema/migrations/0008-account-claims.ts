import type { Migration } from './migration.ts';

/** The e-mail address has a column of its own, because searches look at it. */
export const accountClaims: Migration = {
  summary: 'adds e-mail address, names and other claims of the person to accounts',
  async up(db, types) {
    await db.schema
      .alterTable('account')
      .addColumn('email', types.text, (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema
      .alterTable('account')
      .addColumn('claims', types.text, (column) => column.notNull().defaultTo('{}'))
      .execute();
  },
};
