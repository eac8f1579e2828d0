import {
  accountIdentityProvider,
  accountPrincipal,
  commandLineClientId,
  OAuthError,
  shellCommand,
  subjectOf,
  timeOrderedId,
} from '@watchword/protocol';
import type { Configuration } from '@watchword/server/config/settings';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';
import { operator } from '../../command/operator.ts';
import { noAccount } from '../not-found.ts';
import { localRecords } from './records.ts';

/** An access token for the administration interface. */
export interface IssuedForAdministrator {
  readonly id: string;
  readonly clientId: string;
  readonly resourceOwnerId: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds. */
  readonly expires: number;
  readonly token: string;
}

/**
 * Issues a token with which a local administrator can use the administration interface, as after a login by the command line. The
 * audit log names the user of this machine, and a change of the account ends the token.
 *
 * @throws OAuthError for an account that cannot administer, or a database without the records of the interface
 */
export async function issueForAdministrator(
  username: string,
  scopes: readonly string[] | undefined,
  store: Store,
  configuration: Configuration,
): Promise<IssuedForAdministrator> {
  const account = await store.accounts.find(username);
  if (account === undefined) throw noAccount(username);
  const why = account.disabled ? 'is disabled' : account.adminPrincipal ? undefined : 'is no administrator';
  if (why !== undefined) throw refused(`The account ${username} ${why}.`, username);
  if ((await store.clients.find(commandLineClientId)) === undefined) {
    throw refused('The database lacks the records of the administration. Run "watchword bootstrap" first.');
  }
  const { caller, accessTokens } = await localRecords(store, operator, configuration);
  const identityProvider = accountIdentityProvider;
  const now = store.clock.now();
  const identified = { identityProvider, stableId: account.id, name: username };
  const subject = subjectOf(await store.subjectKey.read(), identified);
  const login = {
    owner: { identityProvider, subject, principal: accountPrincipal(account) },
    // No session is there: tokens of this client outlast sessions.
    authentication: { authenticatedAt: now, sessionId: timeOrderedId(now, systemRandom), identityProvider },
  };
  const { token, value } = await accessTokens.create(
    { ...caller, login },
    { clientId: commandLineClientId, scopes, expires: undefined },
  );
  return {
    id: token.id,
    clientId: commandLineClientId,
    resourceOwnerId: username,
    scopes: token.scopes,
    expires: token.expires,
    token: value,
  };
}

function refused(reason: string, username?: string): OAuthError {
  const advice =
    username === undefined
      ? ''
      : ` Expected an administrator who can log in: ${shellCommand('watchword user set-admin {username} on', { username })}`;
  return new OAuthError('invalid_request', { rule: 'valid_record', description: `${reason}${advice}` });
}
