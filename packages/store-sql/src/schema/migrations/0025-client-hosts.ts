import { createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** What administrators decided about the hosts of clients that documents describe. */
export const clientHosts: Migration = {
  summary: 'adds the hosts whose clients administrators allow or block',
  async up(db, types) {
    await createTable(db, types, 'client_host', {
      host_pattern: 'text',
      effect: 'text',
      note: 'text',
      modification_date: 'integer',
    });
  },
};
