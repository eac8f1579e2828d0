import type { Migration } from './migration.ts';

/** The name that a client had when it acted for a user: the record of a tool does not stay. */
export const clientsOfEvents: Migration = {
  summary: 'adds the names of clients to the audit log',
  async up(db, types) {
    for (const table of ['audit_event', 'login_event'])
      await db.schema.alterTable(table).addColumn('client_name', types.text).execute();
  },
};
