import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How many rotations in a row were repeated. `repetitions` counts at the new token from now on, and no longer at the old
 * one: of the tokens that are there, those that can still be used have it at 0.
 */
export const repeatedRotations: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('refresh_token')
      .addColumn('streak', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
