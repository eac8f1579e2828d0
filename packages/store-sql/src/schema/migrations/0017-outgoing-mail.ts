import { createIndex, createTable } from './create-table.ts';
import type { Migration } from './migration.ts';

/** Mails that wait to be sent. */
export const outgoingMail: Migration = {
  summary: 'adds mails that wait to be sent',
  async up(db, types) {
    await createTable(db, types, 'outgoing_mail', {
      mail_id: 'text',
      mail_kind: 'text',
      sealed_mail: 'text',
      creation_date: 'integer',
      expires: 'integer',
      attempts: 'integer',
      next_attempt: 'integer',
    });
    await createIndex(db, 'outgoing_mail', 'next_attempt', ['next_attempt']);
    await createIndex(db, 'outgoing_mail', 'expires', ['expires']);
  },
};
