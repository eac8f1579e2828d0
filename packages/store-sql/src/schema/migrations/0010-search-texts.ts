import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

const tables = {
  account: ['username', 'disabled', 'admin_principal'],
  client: ['id', 'deleted_at', 'resource_server_id'],
  resource_server: ['id', 'deleted_at', 'owner_name', 'owner_identity_provider'],
} as const;

/**
 * A search compares the searched texts in one form, which only a release that knows them writes. A row of an older release has another
 * revision than its text, and searches read it. The purge writes the texts that are missing.
 */
export const searchTexts: Migration = {
  summary:
    'stores the texts by which accounts, clients and resource servers are found, so that searches are quick',
  async up(db, types) {
    for (const [table, filters] of Object.entries(tables)) {
      await db.schema.alterTable(table).addColumn('search_text', types.text).execute();
      await db.schema
        .alterTable(table)
        .addColumn('search_revision', types.integer, (column) => column.notNull().defaultTo(-1))
        .execute();
      const isStale = { where: ['search_revision', '<> revision'] } as const;
      await createIndex(db, table, 'unsearched', filters.slice(0, 1), isStale);
      // A search reads this index instead of the rows. Elsewhere a long text does not fit into an index, and reading rows is quicker.
      if (!types.hasLongKeys) continue;
      await createIndex(db, table, 'search', [...filters, 'revision', 'search_revision', 'search_text']);
    }
  },
};
