import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Migration } from './migration.ts';

/**
 * Clients that nobody confirmed get no e-mail address any more. Those that are registered already keep it until their owners change
 * them. A node of the release before goes on to give it to every client.
 */
export const confirmedClients: Migration = {
  summary: 'remembers which clients were registered before e-mail, address and phone needed a confirmation',
  async up(db, types) {
    await db.schema
      .alterTable('client')
      .addColumn('keeps_user_data', types.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await (db as Kysely<Schema>)
      .updateTable('client')
      .set({ keeps_user_data: 1 })
      .where('is_trusted', '=', 0)
      .execute();
  },
};
