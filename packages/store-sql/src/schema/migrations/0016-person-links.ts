import { sql } from 'kysely';
import { createIndex, createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** Links that are mailed to people. */
export const personLinks: Migration = {
  summary: 'adds links that are mailed to people, and finds accounts by their addresses',
  async up(db, types) {
    await createTable(db, types, 'person_link', {
      link_id: 'text',
      link_purpose: 'text',
      digest: 'bytes',
      account_id: 'text?',
      mailed_to: 'text',
      link_data: 'text',
      codes: 'integer',
      creation_date: 'integer',
      expires: 'integer',
    });
    await createIndex(db, 'person_link', 'purpose', ['link_purpose', 'link_id']);
    await createIndex(db, 'person_link', 'account', ['account_id'], { where: ['account_id', 'is not null'] });
    await createIndex(db, 'person_link', 'expires', ['expires']);
    // People do not type their addresses as they are stored.
    await db.schema.createIndex('account_email').on('account').expression(sql`lower(email)`).execute();
  },
};
