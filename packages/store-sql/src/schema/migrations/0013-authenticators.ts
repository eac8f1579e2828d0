import { createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** Identity providers that administrators set up, and the names that must never belong to another one. */
export const authenticators: Migration = {
  summary: 'adds identity providers that administrators set up',
  async up(db, types) {
    await createTable(db, types, 'authenticator', {
      authenticator_name: 'text',
      kind: 'text',
      authenticator_label: 'text',
      enabled: 'integer',
      settings: 'text',
      creation_date: 'integer',
      modification_date: 'integer',
      revision: 'integer',
    });
    await createTable(db, types, 'authenticator_name', { authenticator_name: 'text', origin: 'text' });
  },
};
