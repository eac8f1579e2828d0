import { createIndex, createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** What people did in the steps of their logins. */
export const stepRecords: Migration = {
  summary: 'adds what people did in the steps of their logins',
  async up(db, types) {
    const key = { subject: 'text', step_name: 'text' } as const;
    await createTable(
      db,
      types,
      'step_record',
      {
        ...key,
        step_version: 'text',
        done_at: 'integer',
        expires: 'integer',
        step_data: 'text?',
        identity_provider: 'text',
        principal_name: 'text',
      },
      { primaryKey: Object.keys(key), distributedBy: 'subject' },
    );
    await createIndex(db, 'step_record', 'owner', ['identity_provider', 'principal_name']);
    await createIndex(db, 'step_record', 'expires', ['expires'], { where: ['expires', '> 0'] });
  },
};
