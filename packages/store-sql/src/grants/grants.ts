import type { GrantStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { statements } from '../hot/statements.ts';
import { idFromBytes } from '../hot/token-id.ts';
import { loginEventRow } from '../logins/login-event-rows.ts';
import { runStatement } from '../queries/placing.ts';
import { repeatedAfterConflict } from '../queries/transaction-conflict.ts';
import type { Schema } from '../schema/schema.ts';
import { countEnd, endAccess } from './end-access.ts';
import { toGrant } from './grant-rows.ts';

const listLimit = 1000;

/**
 * The half of the grant store that is not hot.
 *
 * @param hasShards the parts of a commit can be seen one after the other, so an end that no other change follows is made twice
 */
export function sqlGrants(
  db: Kysely<Schema>,
  hasShards: boolean,
): Pick<GrantStore, 'listBySubject' | 'withdraw'> {
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
      const end = async (transaction: Kysely<Schema>) => {
        await countEnd(transaction, [subject]);
        return endAccess(transaction, { subjects: [subject], clientRecordId }, now);
      };
      const run = <Value>(work: (transaction: Kysely<Schema>) => Promise<Value>) =>
        repeatedAfterConflict(() => db.transaction().execute(work));
      const withdrawn = await run(async (transaction) => {
        const { grants, consents } = await end(transaction);
        if (event !== undefined && grants + consents > 0) {
          await runStatement(transaction, statements.insertLoginEvent, loginEventRow(event));
        }
        return grants;
      });
      if (hasShards) await run(end);
      return withdrawn;
    },
  };
}
