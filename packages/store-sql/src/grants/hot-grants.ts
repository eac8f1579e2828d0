import {
  type AccessToken,
  type AnswerContext,
  type Grant,
  type GrantStore,
  isStored,
} from '@watchword/protocol';
import { add, type Command, commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';
import { addLoginEvent } from '../logins/login-event-rows.ts';
import { heldBy } from '../logins/login-sessions.ts';
import { addAnswer } from './consent-answers.ts';
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
