import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { AdminError, createAdminClient, type Principal } from '@watchword/admin-client';
import { commandLineClientId, shown } from '@watchword/protocol';
import { version } from '@watchword/server/version';
import {
  nameForServer,
  type Profile,
  type Profiles,
  profileName,
  profilesOf,
} from '../administration/profiles.ts';
import { boundedFetch } from '../administration/remote/bounded-fetch.ts';
import { remoteBaseUrl } from '../administration/remote/credentials.ts';
import { storedTokens } from '../administration/remote/profile-access.ts';
import {
  reached,
  requestTokens,
  revokeToken,
  type TokenServer,
} from '../administration/remote/token-requests.ts';
import { namedProfile, noProfile } from '../administration/server-of.ts';
import type { Io } from '../command/io.ts';
import type { Options } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { UsageError } from '../command/usage-error.ts';
import { openLoginRedirect } from './login-redirect.ts';

/** Logs in by the browser (RFC 8252), and stores the login. */
export async function logIn(given: string | undefined, options: Options): Promise<void> {
  const { io } = options;
  const profiles = profilesOf(io);
  const { name, baseUrl, before } = await chosenProfile(given, options, profiles);
  const server = { baseUrl, send: boundedFetch() };
  const issuer = await issuerOf(server);
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(32).toString('base64url');
  await using redirect = await openLoginRedirect({ state, issuer });
  const { redirectUri } = redirect;
  const url = authorizationUrl(baseUrl, { redirectUri, state, verifier });
  showAddress(url, baseUrl, options);
  const { profile, principal } = await redirect.answer(async (code) => {
    const tokens = await requestTokens(server, {
      grant_type: 'authorization_code',
      client_id: commandLineClientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    if (tokens.refreshToken === undefined) {
      throw new UsageError(
        'the server issued no refresh token. Expected a Watchword server of this release.',
      );
    }
    const stored = storedTokens(tokens, tokens.refreshToken);
    const principal = await principalOf(server, stored.accessToken);
    const profile = { baseUrl, user: principal.name, ...stored };
    await profiles.locked(name, () => profiles.write(name, profile));
    return { profile, principal };
  });
  await profiles.setDefault(name);
  // The login that it replaces. If its server cannot be reached, it ends when it is not used.
  if (before !== undefined) await endLogin(before, server.send).catch(() => {});
  createOutput(options.json === true, io).done(
    [
      `Logged in to ${baseUrl} as ${profile.user}, ${principal.adminPrincipal ? 'an administrator' : 'who sees own records alone'}.`,
      `Commands that name no database work there from now on, by the profile ${name}.`,
    ],
    { profile: name, baseUrl, user: profile.user, administrator: principal.adminPrincipal },
  );
}

interface ChosenProfile {
  readonly name: string;
  readonly baseUrl: string;
  /** The login that is replaced. */
  readonly before: Profile | undefined;
}

/** @throws UsageError */
async function chosenProfile(
  argument: string | undefined,
  options: Options,
  profiles: Profiles,
): Promise<ChosenProfile> {
  const { url } = options;
  if (argument !== undefined && url !== undefined) {
    throw new UsageError('--url: expected no <baseUrl> beside it; leave out one of them');
  }
  const given = argument ?? (url as string | undefined);
  const chosen = namedProfile(options);
  const name = chosen === undefined ? given && nameForServer(remoteBaseUrl(given)) : profileName(chosen);
  const usual = name ?? (await profiles.defaultName());
  // A file that cannot be used is no reason not to log in again.
  const before = usual === undefined ? undefined : await profiles.read(usual).catch(() => undefined);
  if (given !== undefined && usual !== undefined)
    return { name: usual, baseUrl: remoteBaseUrl(given), before };
  if (usual !== undefined && before !== undefined) return { name: usual, baseUrl: before.baseUrl, before };
  if (chosen !== undefined) throw noProfile(chosen);
  throw new UsageError(
    'login: expected the base URL of a server, such as watchword login https://id.example.com',
  );
}

interface Login {
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
}

function authorizationUrl(baseUrl: string, { redirectUri, state, verifier }: Login): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: commandLineClientId,
    redirect_uri: redirectUri,
    scope: 'read write',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${baseUrl}/authorize?${query}`;
}

function showAddress(url: string, baseUrl: string, { io, browser }: Options): void {
  if (browser === false) {
    io.stderr.write(`Open this address to log in to ${baseUrl}:\n${url}\n`);
    return;
  }
  openBrowser(url, io);
  io.stderr.write(`Log in to ${baseUrl} in the browser. If it does not open, open this address:\n${url}\n`);
}

/**
 * Opens an address in the browser of the user, as far as there is one. The address is in the arguments of a process, which
 * other users can read, so it has no secret.
 */
function openBrowser(url: string, { env }: Pick<Io, 'env'>): void {
  const [command, ...args] = opener(url);
  // The browser is not part of the command: it neither keeps it running nor ends with it.
  const opened = spawn(command, args, { env: { ...env }, stdio: 'ignore', detached: true });
  opened.on('error', () => {});
  opened.unref();
}

function opener(url: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', url];
  // Not by cmd.exe, which would interpret the address.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}

/** The issuer identifier, by the metadata of the server (RFC 8414 §3.3). @throws UsageError, AdminError */
async function issuerOf({ baseUrl, send }: TokenServer): Promise<string> {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname === '/' ? '' : pathname;
  const answer = await reached(baseUrl, () =>
    send(`${origin}/.well-known/oauth-authorization-server${prefix}`, { redirect: 'error' }),
  );
  const { issuer } = ((await answer.json().catch(() => undefined)) ?? {}) as { readonly issuer?: unknown };
  if (!answer.ok || typeof issuer !== 'string') {
    throw new AdminError(
      `Expected the base URL of a Watchword server, got ${baseUrl}, which has no metadata.`,
      {
        status: answer.status,
        code: 'unexpected_answer',
      },
    );
  }
  if (issuer === baseUrl) return issuer;
  throw new UsageError(
    `login: the server at ${baseUrl} names itself ${shown(issuer, 200)}. If it is the one that you mean, log in at that base URL.`,
  );
}

function principalOf({ baseUrl, send }: TokenServer, accessToken: string): Promise<Principal> {
  const userAgent = `watchword/${version}`;
  return createAdminClient({ baseUrl, token: () => accessToken, userAgent, fetch: send }).principal();
}

/** Revokes the tokens of a login at its server. @throws AdminError */
export function endLogin({ baseUrl, refreshToken }: Profile, send: typeof fetch): Promise<void> {
  return revokeToken({ baseUrl, send }, refreshToken, { client_id: commandLineClientId });
}
