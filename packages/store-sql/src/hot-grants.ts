import type { AccessToken, AuditEvent, ConsentAnswer, Grant, GrantStore } from '@watchword/protocol';
import { addAnswer } from './consent-answers.ts';
import { newGrantRow } from './grant-rows.ts';
import { add, type Command, commandOf } from './hot/command.ts';
import type { HotAccess } from './hot/hot-access.ts';
import { statements } from './hot/statements.ts';
import { addLoginEvent } from './login-event-rows.ts';
import { accessTokenRow, requireGrant } from './token-rows.ts';

/** The hot half of the grant store. */
export function hotGrants(hot: HotAccess): Pick<GrantStore, 'insert' | 'revoke'> {
  return {
    insert: async (grant, accessToken, answer, event) => {
      const result = await hot.write(insertWithToken(grant, accessToken, answer, event));
      // Without an answer no statement decides: the command is complete, or it failed.
      return answer === undefined || result > 0;
    },

    revoke: async (id, now) => (await hot.write(commandOf(statements.revokeGrant, { id, now }))) > 0,
  };
}

function insertWithToken(
  grant: Grant,
  accessToken: AccessToken | undefined,
  answer: ConsentAnswer | undefined,
  event: AuditEvent | undefined,
): Command {
  if (accessToken !== undefined) requireGrant(accessToken, grant.id);
  const command: Command = [];
  if (answer !== undefined) addAnswer(command, answer);
  addLoginEvent(command, event);
  if (accessToken !== undefined) add(command, statements.insertAccessToken, accessTokenRow(accessToken));
  add(command, statements.insertGrant, newGrantRow(grant, accessToken?.expires ?? grant.creationDate));
  return command;
}
