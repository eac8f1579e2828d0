import { createIndex, createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** What people prove logins with beside a password: passkeys, apps for one-time codes, recovery codes and trusted browsers. */
export const credentials: Migration = {
  summary: 'adds passkeys, apps for one-time codes and recovery codes of people',
  async up(db, types) {
    await createTable(db, types, 'credential', {
      id: 'text',
      subject: 'text',
      identity_provider: 'text',
      principal_name: 'text',
      kind: 'text',
      credential_name: 'text',
      creation_date: 'integer',
      last_used: 'integer',
      handle: 'text?',
      use_counter: 'integer',
      credential_data: 'text',
    });
    await createIndex(db, 'credential', 'subject', ['subject']);
    await createIndex(db, 'credential', 'owner', ['identity_provider', 'principal_name']);
    await createIndex(db, 'credential', 'handle', ['handle'], {
      isUnique: true,
      where: ['handle', 'is not null'],
    });
  },
};
