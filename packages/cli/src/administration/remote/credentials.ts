import { AdminError, type ClientCredentials, clientCredentials } from '@watchword/admin-client';
import { isLoopbackHost, secretLine, shellCommand, shown } from '@watchword/protocol';
import { adminVariables } from '../../command/admin-variables.ts';
import type { Io } from '../../command/io.ts';
import { secretText } from '../../command/secret-input.ts';
import { UsageError } from '../../command/usage-error.ts';
import { type Profiles, profilesOf } from '../profiles.ts';
import { profileAccess } from './profile-access.ts';
import { adviceOn, isToken, type RemoteAccess } from './token-requests.ts';

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
  const clientId = secretLine(env[adminVariables.clientId] ?? '');
  const clientSecret = await secretOf(env);
  if (!clientId || !clientSecret) {
    const name = await profileFor(baseUrl, profiles);
    if (name !== undefined) return profileAccess(name, profiles, send);
    throw new UsageError(
      `--url: expected a login or credentials. Log in with ${shellCommand('watchword login {baseUrl}', { baseUrl })}; or set credentials in the environment: ${adminVariables.clientId} and ${adminVariables.secret}, or ${adminVariables.secretFile}, of a client of authorization-server-admin, or an access token in ${adminVariables.token} or, with --token-stdin, on standard input`,
    );
  }
  return clientAccess({ baseUrl, clientId, clientSecret, fetch: send });
}

/** @throws UsageError for a file that cannot be read, and for a secret in two places */
async function secretOf(env: Io['env']): Promise<string | undefined> {
  const { secret, secretFile } = adminVariables;
  const file = env[secretFile];
  if (!file) return secretLine(env[secret] ?? '');
  if (env[secret]) throw new UsageError(`expected ${secret} or ${secretFile}, got both; remove one`);
  return secretLine(await secretText(secretFile, file));
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

/** Access tokens for this command (RFC 6749 §4.4), the last of which is revoked at its end (RFC 7009). */
async function clientAccess(client: ClientCredentials): Promise<RemoteAccess> {
  const { token, renew, revoke } = clientCredentials(client);
  try {
    await token();
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    const check = ` Check ${adminVariables.clientId} and ${adminVariables.secret}.`;
    const advice = error.status === 401 ? check : adviceOn(error.status, client);
    const { status, code, cause } = error;
    throw new AdminError(`${error.message}${advice}`, { status, code, cause });
  }
  // An error here does not change the result of the command: the token expires anyway.
  return { token, renew, end: () => revoke().catch(() => {}) };
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
