import { createIndex } from './create-table.ts';
import type { Migration } from './migration.ts';

/** Of which account a mail is of interest alone. It is empty for mails that a node of the release before has stored. */
export const mailsOfAccounts: Migration = {
  summary: 'adds the account to mails that go with it',
  async up(db, types) {
    await db.schema.alterTable('outgoing_mail').addColumn('account_id', types.text).execute();
    await createIndex(db, 'outgoing_mail', 'account', ['account_id'], {
      where: ['account_id', 'is not null'],
    });
  },
};
