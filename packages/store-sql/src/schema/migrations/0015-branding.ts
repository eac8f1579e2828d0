import { createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** How administrators want pages to look, and their drafts of it. */
export const branding: Migration = {
  summary: 'adds the branding of pages that administrators set',
  async up(db, types) {
    await createTable(db, types, 'branding', {
      branding_id: 'text',
      settings: 'text',
      modification_date: 'integer',
      revision: 'integer',
    });
  },
};
