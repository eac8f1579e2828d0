import { AdminError } from '@watchword/admin-client';
import { isLoopbackHost, secretLine, shown } from '@watchword/protocol';
import { adminVariables } from '../../command/admin-variables.ts';
import type { Io } from '../../command/io.ts';
import { secretText } from '../../command/secret-input.ts';
import { UsageError } from '../../command/usage-error.ts';

export interface RemoteAccess {
  readonly token: string;
  /** Revokes the token that was obtained for this command only. */
  end(): Promise<void>;
}

/** The server, and the sources of its credentials. */
export interface RemoteSources {
  readonly baseUrl: string;
  readonly io: Pick<Io, 'env' | 'stdin'>;
  /** The access token is on standard input. */
  readonly fromStandardInput: boolean;
}

/**
 * The access token for the administration of a server. It comes from the environment or from standard input, or is a new
 * one for the client that the environment names.
 *
 * @throws UsageError without credentials; AdminError when the server does not accept them
 */
export async function remoteAccess(
  { baseUrl, io: { env, stdin }, fromStandardInput }: RemoteSources,
  send: typeof fetch,
): Promise<RemoteAccess> {
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
    return { token, end: async () => {} };
  }
  if (!clientId || !secret) {
    throw new UsageError(
      `--url: expected credentials in the environment: ${adminVariables.clientId} and ${adminVariables.secret} of a client of authorization-server-admin, or an access token in ${adminVariables.token} or, with --token-stdin, on standard input`,
    );
  }
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
  return clientAccess(baseUrl, (path, form) => post(`${baseUrl}${path}`, form, authorization, send));
}

type Post = (path: string, form: Record<string, string>) => Promise<Response>;

/** An access token for this command (RFC 6749 §4.4), revoked at its end (RFC 7009). */
async function clientAccess(baseUrl: string, post: Post): Promise<RemoteAccess> {
  const answer = await post('/oauth2/token', { grant_type: 'client_credentials' });
  const body = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>> | null;
  const { access_token: token, error, error_description: description } = body ?? {};
  if (!answer.ok || typeof token !== 'string' || !isToken(token)) {
    throw new AdminError(
      `The server did not issue an access token: ${String(description ?? error ?? `status ${answer.status}`)}${adviceOn(answer.status, baseUrl)}`,
      { status: answer.status, code: String(error ?? 'unexpected_answer') },
    );
  }
  return {
    token,
    // An error here does not change the result of the command: the token expires anyway.
    end: () =>
      post('/oauth2/revoke', { token }).then(
        () => {},
        () => {},
      ),
  };
}

/** A token that a header can carry (RFC 6750 §2.1). For any other text the error of `fetch` would contain it in clear. */
function isToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

function adviceOn(status: number, baseUrl: string): string {
  if (status === 401) return ` Check ${adminVariables.clientId} and ${adminVariables.secret}.`;
  return status === 404 ? ` Expected the base URL of a server, got ${baseUrl}` : '';
}

async function post(
  url: string,
  form: Record<string, string>,
  authorization: string,
  send: typeof fetch,
): Promise<Response> {
  const request = { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) } as const;
  try {
    return await send(url, { ...request, redirect: 'error' });
  } catch (cause) {
    throw new AdminError(`The server at ${new URL(url).origin} cannot be reached.`, {
      status: 0,
      code: 'unreachable',
      cause,
    });
  }
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
