import { createIndex, createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** Links between people of other identity providers and local accounts. */
export const accountLinks: Migration = {
  summary: 'adds links between people of other identity providers and local accounts',
  async up(db, types) {
    await createTable(
      db,
      types,
      'account_link',
      {
        account_id: 'text',
        authenticator: 'text',
        subject: 'text',
        identity_provider: 'text',
        principal_name: 'text',
        creation_date: 'integer',
        last_used: 'integer',
      },
      { primaryKey: ['account_id', 'authenticator'] },
    );
    await createIndex(db, 'account_link', 'subject', ['subject'], { isUnique: true });
  },
};
