import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

/** A node of the release before keeps the column as it is, and reads no scope of a part that has ended. */
export const endedParts: Migration = {
  summary: 'adds when access at one of the resource servers of a grant has ended last',
  async up(db, types) {
    await db.schema.alterTable('authorization_grant').addColumn('part_ended_at', types.integer).execute();
    await createIndex(db, 'authorization_grant', 'part_ended', ['part_ended_at', 'id'], {
      where: ['part_ended_at', 'is not null'],
    });
  },
};
