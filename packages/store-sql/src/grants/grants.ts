import {
  type AccessToken,
  type AnswerContext,
  type Grant,
  type GrantStore,
  isStored,
} from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { add, type Command, commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';
import { idFromBytes } from '../hot/token-id.ts';
import { addLoginEvent, loginEventRow } from '../logins/event-rows.ts';
import { heldBy } from '../logins/login-sessions.ts';
import { runStatement } from '../queries/placing.ts';
import { repeatedAfterConflict } from '../queries/transaction-conflict.ts';
import type { Schema } from '../schema/schema.ts';
import { addAnswer } from './consents.ts';
import { afterChanges, countEnd, endAccess } from './end-access.ts';
import { newGrantRow, toGrant } from './grant-rows.ts';
import { accessTokenRow, requireGrant } from './token-rows.ts';
import type { TokenSegments } from './token-segments.ts';

const foundColumns = {
  client_record_id: 'number',
  identity_provider: 'text',
  principal: 'text',
  subject: 'text',
  authentication: 'text',
  claims: 'text?',
  scopes: 'text',
  creation_date: 'number',
} as const;

const byId = lookup(
  { id: 'id' },
  foundColumns,
  (byKey) => `authorization_grant as t where ${byKey('t.id = :id', 't')} and +t.revoked_at is null`,
);

/** The hot half of the grant store. */
export function hotGrants(
  hot: HotAccess,
  segments: TokenSegments,
): Pick<GrantStore, 'find' | 'insert' | 'revoke'> {
  return {
    find: (id) => hot.read(byId, { id }, (row) => toGrant(id, row)),

    insert: async (grant, accessToken, context = {}) => {
      const result = await hot.write(insertWithToken(segments, grant, accessToken, context));
      // Without session and answer no statement decides: the command is complete, or it failed.
      return (context.session ?? context.answer) === undefined || result > 0;
    },

    revoke: async (id, now) => (await hot.write(commandOf(statements.revokeGrant, { id, now }))) > 0,
  };
}

function insertWithToken(
  segments: TokenSegments,
  grant: Grant,
  accessToken: AccessToken | undefined,
  { session, answer, event }: AnswerContext,
): Command {
  if (accessToken !== undefined) requireGrant(accessToken, grant.id);
  const command = heldBy(session);
  if (answer !== undefined) addAnswer(command, answer);
  addLoginEvent(command, event);
  if (accessToken !== undefined && isStored(accessToken))
    add(command, statements.insertAccessToken, accessTokenRow(accessToken, segments));
  add(command, statements.insertGrant, newGrantRow(grant, accessToken?.expires ?? grant.creationDate));
  return command;
}

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

    async withdraw(subject, withdrawals, now) {
      const end = async (transaction: Kysely<Schema>, areNoted: boolean) => {
        await afterChanges(transaction);
        await countEnd(transaction, [subject]);
        let total = 0;
        for (const { clientRecordId, event } of withdrawals) {
          const { grants, consents } = await endAccess(
            transaction,
            { subjects: [subject], clientRecordId },
            now,
          );
          total += grants;
          if (areNoted && event !== undefined && grants + consents > 0)
            await runStatement(transaction, statements.insertLoginEvent, loginEventRow(event));
        }
        return total;
      };
      const run = (areNoted: boolean) =>
        repeatedAfterConflict(() => db.transaction().execute((transaction) => end(transaction, areNoted)));
      const withdrawn = await run(true);
      if (hasShards) await run(false);
      return withdrawn;
    },
  };
}
