import { isLoopbackHost, secretLine, shellCommand, shown } from '@watchword/protocol';
import { adminVariables } from '../../command/admin-variables.ts';
import type { Io } from '../../command/io.ts';
import { secretText } from '../../command/secret-input.ts';
import { UsageError } from '../../command/usage-error.ts';
import { type Profiles, profilesOf } from '../profiles.ts';
import { profileAccess } from './profile-access.ts';
import {
  isToken,
  type RemoteAccess,
  requestTokens,
  revokeToken,
  type TokenServer,
} from './token-requests.ts';

/** The server, and the sources of its credentials. */
export interface RemoteSources {
  readonly baseUrl: string;
  readonly io: Pick<Io, 'env' | 'stdin'>;
  /** The access token is on standard input. */
  readonly fromStandardInput: boolean;
  /** The name of the profile that the command uses; `undefined`: one of that server, if nothing else is there. */
  readonly profile: string | undefined;
}

/**
 * The access token for the administration of a server. It comes from a profile, from standard input or from the environment, or
 * is a new one for the client that the environment names.
 *
 * @throws UsageError without credentials; AdminError when the server does not accept them
 */
export async function remoteAccess(
  { baseUrl, io: { env, stdin }, fromStandardInput, profile }: RemoteSources,
  send: typeof fetch,
): Promise<RemoteAccess> {
  const profiles = profilesOf({ env });
  if (profile !== undefined) return profileAccess(profile, profiles, send);
  const [clientId, secret] = [adminVariables.clientId, adminVariables.secret].map((name) =>
    secretLine(env[name] ?? ''),
  );
  const given = fromStandardInput ? await secretText('--token-stdin', stdin) : env[adminVariables.token];
  const token = given?.trim();
  if (fromStandardInput && !token) {
    throw new UsageError('--token-stdin: expected an access token on standard input, got nothing');
  }
  if (token) {
    const source = fromStandardInput ? '--token-stdin' : adminVariables.token;
    if (!isToken(token))
      throw new UsageError(`${source}: expected an access token, got characters that no access token has`);
    return { token: () => token, end: async () => {} };
  }
  if (!clientId || !secret) {
    const name = await profileFor(baseUrl, profiles);
    if (name !== undefined) return profileAccess(name, profiles, send);
    throw new UsageError(
      `--url: expected a login or credentials. Log in with ${shellCommand('watchword login {baseUrl}', { baseUrl })}; or set credentials in the environment: ${adminVariables.clientId} and ${adminVariables.secret} of a client of authorization-server-admin, or an access token in ${adminVariables.token} or, with --token-stdin, on standard input`,
    );
  }
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
  return clientAccess({ baseUrl, send, authorization });
}

/** The default profile if it is of the server, or the first that is. */
async function profileFor(baseUrl: string, profiles: Profiles): Promise<string | undefined> {
  const usual = await profiles.defaultName();
  const names = await profiles.list();
  for (const name of usual === undefined ? names : [usual, ...names]) {
    if ((await profiles.read(name))?.baseUrl === baseUrl) return name;
  }
  return undefined;
}

/** An access token for this command (RFC 6749 §4.4), revoked at its end (RFC 7009). */
async function clientAccess(server: TokenServer): Promise<RemoteAccess> {
  const { accessToken } = await requestTokens(server, { grant_type: 'client_credentials' });
  return {
    token: () => accessToken,
    // An error here does not change the result of the command: the token expires anyway.
    end: () =>
      revokeToken(server, accessToken).then(
        () => {},
        () => {},
      ),
  };
}

/** @throws UsageError for a text that is not a base URL, or for one to which secrets would travel unencrypted */
export function remoteBaseUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url === undefined || !isSafe || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new UsageError(
      `--url: expected the base URL of a server, with https or a loopback host, got ${shown(given, 80)}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
