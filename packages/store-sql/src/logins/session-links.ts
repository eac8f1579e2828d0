import type { SessionLink, SessionLinkStore } from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import type { LoginSessionLinkTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';

export function sqlSessionLinks(db: Kysely<Schema>): SessionLinkStore {
  return {
    async insert({ sessionId, key, data, expires }) {
      const row = { link_key: key, link_data: data, expires };
      await db
        .insertInto('login_session_link')
        .values({ session_id: sessionId, ...row })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet(row))
        .execute();
    },

    async find(sessionId) {
      const row = await db
        .selectFrom('login_session_link')
        .selectAll()
        .where('session_id', '=', sessionId)
        .executeTakeFirst();
      return row && toSessionLink(row);
    },

    async findByKey(key) {
      const rows = await db
        .selectFrom('login_session_link')
        .selectAll()
        .where('link_key', '=', key)
        .execute();
      return rows.map(toSessionLink);
    },

    async delete(sessionId) {
      await db.deleteFrom('login_session_link').where('session_id', '=', sessionId).execute();
    },
  };
}

function toSessionLink(row: Selectable<LoginSessionLinkTable>): SessionLink {
  return { sessionId: row.session_id, key: row.link_key, data: row.link_data, expires: row.expires };
}
