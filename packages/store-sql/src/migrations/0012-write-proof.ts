import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What is written to find out whether anything can be. */
export const writeProof: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('write_proof')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('filler', 'blob', (column) => column.notNull())
      .execute();
  },
};
