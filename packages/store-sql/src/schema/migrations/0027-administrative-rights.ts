import { createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** What clients that act for themselves can administer, and who gave it. A few rows. */
export const administrativeRights: Migration = {
  summary: 'adds the administrative rights of clients',
  async up(db, types) {
    await createTable(
      db,
      types,
      'administrative_right',
      {
        client_record_id: 'integer',
        right_name: 'text',
        identity_provider: 'text',
        principal_name: 'text',
        creation_date: 'integer',
      },
      { primaryKey: ['client_record_id', 'right_name'] },
    );
  },
};
