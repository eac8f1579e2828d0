import { sql } from 'kysely';
import { createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

// One of them has a row as soon as somebody has used the database.
const tablesOfUse = ['resource_server', 'account', 'audit_event'] as const;

/**
 * Values of settings with which a new database begins. One that was in use before keeps the defaults that it had, so that an upgrade locks
 * nobody out.
 */
export const installationDefaults: Migration = {
  summary: 'adds the defaults of new installations: administrators log in with a second factor',
  async up(db, types) {
    await createTable(db, types, 'installation_default', { setting_name: 'text', setting_value: 'text' });
    for (const table of tablesOfUse) {
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
      if (rows.length > 0) return;
    }
    await sql`insert into installation_default (setting_name, setting_value) values ('factors.required', 'administrators')`.execute(
      db,
    );
  },
};
