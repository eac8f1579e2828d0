import { createIndex, createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** Nodes of the release before neither read nor write these tables: a client that they delete leaves its row, which the purge removes. */
export const clientRegistrations: Migration = {
  summary: 'adds what is kept of clients that register themselves, and initial access tokens',
  async up(db, types) {
    await createTable(db, types, 'client_registration', {
      client_record_id: 'integer',
      token_digest: 'bytes',
      creation_date: 'integer',
      last_used: 'integer',
      initial_token_id: 'text?',
      claimed_name: 'text',
      application_type: 'text',
    });
    await createIndex(db, 'client_registration', 'last_used', ['last_used', 'client_record_id']);
    await createTable(db, types, 'initial_token', {
      token_id: 'text',
      token_digest: 'bytes',
      note: 'text',
      creation_date: 'integer',
      expires: 'integer',
      max_clients: 'integer',
      clients: 'integer',
    });
  },
};
