import { sql } from 'kysely';
import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

const tables = {
  account: ['username', 'disabled', 'admin_principal'],
  client: ['id', 'deleted_at', 'resource_server_id'],
  resource_server: ['id', 'deleted_at', 'owner_name', 'owner_identity_provider'],
} as const;

/**
 * A search reads texts from an index in PostgreSQL too, where an entry has no room for long ones: these are found by a second index. Events
 * are written once, so their texts have no revision. An event of an older release has no text until the purge writes it.
 */
export const searchIndexes: Migration = {
  summary: 'stores texts by which events of the audit log are found, and indexes all texts of searches',
  async up(db, types) {
    const isShort = sql<boolean>`octet_length(search_text) <= 1500`;
    const isOther = sql<boolean>`(${isShort}) is not true`;
    await db.schema.alterTable('audit_event').addColumn('search_text', types.text).execute();
    await createIndex(db, 'audit_event', 'search', ['id', 'search_text'], { where: isShort });
    await createIndex(db, 'audit_event', 'search_others', ['id'], { where: isOther });
    for (const [table, columns] of Object.entries(tables)) {
      if (types.hasLongKeys) await db.schema.dropIndex(`${table}_search`).execute();
      const all = [...columns, 'revision', 'search_revision', 'search_text'];
      await createIndex(db, table, 'search', all, { where: isShort });
      await createIndex(db, table, 'search_others', columns.slice(0, 1), { where: isOther });
    }
  },
};
