import type { GrantStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { deleteConsents, isOfSubjects } from './deleted-consents.ts';
import { toGrant } from './grant-rows.ts';
import { statements } from './hot/statements.ts';
import { idFromBytes } from './hot/token-id.ts';
import { loginEventRow } from './login-event-rows.ts';
import { runStatement } from './run-statement.ts';
import type { Schema } from './schema.ts';

const listLimit = 1000;

/** The half of the grant store that is not hot. */
export function sqlGrants(db: Kysely<Schema>): Pick<GrantStore, 'listBySubject' | 'withdraw'> {
  return {
    async listBySubject(subject, now) {
      const rows = await db
        .selectFrom('authorization_grant')
        .selectAll()
        .where('subject', '=', subject)
        .where('revoked_at', 'is', null)
        .where((where) => where.or([where('expires', '=', 0), where('expires', '>', now)]))
        .orderBy('id', 'desc')
        .limit(listLimit)
        .execute();
      return rows.map((row) => ({ grant: toGrant(idFromBytes(row.id), row), lastUsed: row.last_used }));
    },

    async withdraw(subject, clientRecordId, now, event) {
      const withdrawn = await db.transaction().execute(async (transaction) => {
        const { grants, consents } = await endAccess(transaction, subject, clientRecordId, now);
        if (event !== undefined && grants + consents > 0) {
          await runStatement(transaction, statements.insertLoginEvent, loginEventRow(event));
        }
        return grants;
      });
      // A grant by the remembered consent, stored at the same time, reads after that whether there still is a consent.
      await endAccess(db, subject, clientRecordId, now);
      return withdrawn;
    },
  };
}

async function endAccess(db: Kysely<Schema>, subject: string, clientRecordId: number, now: number) {
  const { numUpdatedRows } = await db
    .updateTable('authorization_grant')
    .set({ revoked_at: now })
    .where('subject', '=', subject)
    .where('client_record_id', '=', clientRecordId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  // After the grants: a consent that is being saved keeps its grant from being revoked until it is stored.
  const consents = await deleteConsents(db, isOfSubjects([subject], clientRecordId));
  return { grants: Number(numUpdatedRows), consents };
}
