import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

/**
 * The index by client grows in the present segment only. An index has no place in a statement, so nodes of the release before go on:
 * their tokens are in the segment 0, and their lists of one client read the whole table until they are replaced.
 */
export const tokenSegments: Migration = {
  summary: 'divides access tokens into segments, so that inserts do not change the whole index by client',
  async up(db, types) {
    await db.schema
      .alterTable('access_token')
      .addColumn('segment', types.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    // Rows that are distributed over machines have one segment.
    if (types.sharding !== undefined) return;
    await createIndex(db, 'access_token', 'segment', ['segment', 'client_record_id', 'id']);
    await db.schema.dropIndex('access_token_client').execute();
  },
};
