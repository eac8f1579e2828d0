import type { AccountLink, AccountLinkStore } from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import type { AccountLinkTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';

/** @param near for reads */
export function sqlAccountLinks(db: Kysely<Schema>, near: Kysely<Schema> = db): AccountLinkStore {
  return {
    async create({ subject, accountId, authenticator, identityProvider, name, creationDate, lastUsed }) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('account_link')
        .values({
          account_id: accountId,
          authenticator,
          subject,
          identity_provider: identityProvider,
          principal_name: name,
          creation_date: creationDate,
          last_used: lastUsed,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },

    async find(subject) {
      const links = near.selectFrom('account_link').selectAll().where('subject', '=', subject);
      const row = await links.executeTakeFirst();
      return row && toLink(row);
    },

    async listOfAccount(accountId) {
      const links = near.selectFrom('account_link').selectAll().where('account_id', '=', accountId);
      return (await links.orderBy('authenticator').execute()).map(toLink);
    },

    async noteUse(subject, now) {
      const links = db.updateTable('account_link').set({ last_used: now }).where('subject', '=', subject);
      return (await links.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
    },

    async delete(accountId, authenticator) {
      const { numDeletedRows } = await db
        .deleteFrom('account_link')
        .where('account_id', '=', accountId)
        .where('authenticator', '=', authenticator)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}

function toLink(row: Selectable<AccountLinkTable>): AccountLink {
  return {
    subject: row.subject,
    accountId: row.account_id,
    authenticator: row.authenticator,
    identityProvider: row.identity_provider,
    name: row.principal_name,
    creationDate: row.creation_date,
    lastUsed: row.last_used,
  };
}
