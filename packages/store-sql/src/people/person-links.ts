import type { PersonLink, PersonLinkPurpose, PersonLinkStore } from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import type { PersonLinkTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';

export function sqlPersonLinks(db: Kysely<Schema>): PersonLinkStore {
  return {
    async create({ id, purpose, digest, accountId = null, address, data, creationDate, expires }) {
      await db
        .insertInto('person_link')
        .values({
          link_id: id,
          link_purpose: purpose,
          digest,
          account_id: accountId,
          mailed_to: address,
          link_data: data,
          codes: 0,
          creation_date: creationDate,
          expires,
        })
        .execute();
    },

    async find(id, now) {
      const row = await db
        .selectFrom('person_link')
        .selectAll()
        .where('link_id', '=', id)
        .where('expires', '>', now)
        .executeTakeFirst();
      return row && toLink(row);
    },

    async list({ purpose, accountId, after = '', limit }) {
      const links = db
        .selectFrom('person_link')
        .selectAll()
        .where('link_id', '>', after)
        .$if(purpose !== undefined, (query) => query.where('link_purpose', '=', purpose ?? 'invitation'))
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''));
      return (await links.orderBy('link_id').limit(limit).execute()).map(toLink);
    },

    async redeem(id, now) {
      const { numDeletedRows } = await db
        .deleteFrom('person_link')
        .where('link_id', '=', id)
        .where('expires', '>', now)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async countCode(id, now, limit) {
      const { numUpdatedRows } = await db
        .updateTable('person_link')
        .set((update) => ({ codes: update('codes', '+', 1) }))
        .where('link_id', '=', id)
        .where('expires', '>', now)
        .where('codes', '<', limit)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    endOfAccount: (accountId, purpose) => endLinksOf(db, accountId, purpose),
  };
}

/** Ends the links of an account, or those for one purpose. Resolves with their number. */
export async function endLinksOf(
  db: Kysely<Schema>,
  accountId: string,
  purpose?: PersonLinkPurpose,
): Promise<number> {
  const links = db.deleteFrom('person_link').where('account_id', '=', accountId);
  const meant = purpose === undefined ? links : links.where('link_purpose', '=', purpose);
  return Number((await meant.executeTakeFirstOrThrow()).numDeletedRows);
}

function toLink(row: Selectable<PersonLinkTable>): PersonLink {
  return {
    id: row.link_id,
    purpose: row.link_purpose,
    digest: row.digest,
    ...(row.account_id !== null && { accountId: row.account_id }),
    address: row.mailed_to,
    data: row.link_data,
    creationDate: row.creation_date,
    expires: row.expires,
  };
}
