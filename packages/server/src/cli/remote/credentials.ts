import { text } from 'node:stream/consumers';
import { AdminError } from '@watchword/admin-client';
import { isLoopbackHost } from '@watchword/protocol';
import { adminVariables } from '../admin-variables.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';

export interface RemoteAccess {
  readonly token: string;
  /** Gives back what was obtained for this command alone. */
  end(): Promise<void>;
}

/** Where to, and where credentials are looked for. */
export interface RemoteSources {
  readonly baseUrl: string;
  readonly io: Pick<Io, 'env' | 'stdin'>;
  /** Whether an access token is on standard input. */
  readonly fromStandardInput: boolean;
}

/**
 * The token with which a server is administered: one that is handed in, by the environment or by standard input, or
 * a new one for the client that the environment names.
 *
 * @throws UsageError when there are no credentials; AdminError when they are refused
 */
export async function remoteAccess(
  { baseUrl, io: { env, stdin }, fromStandardInput }: RemoteSources,
  send: typeof fetch,
): Promise<RemoteAccess> {
  const { [adminVariables.clientId]: clientId, [adminVariables.secret]: secret } = env;
  const token = fromStandardInput ? (await text(stdin)).trim() : env[adminVariables.token];
  if (fromStandardInput && !token) {
    throw new UsageError('--token-stdin: expected an access token on standard input, got nothing');
  }
  if (token) {
    const source = fromStandardInput ? '--token-stdin' : adminVariables.token;
    if (!isToken(token)) throw new UsageError(`${source}: expected an access token, got what cannot be one`);
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

/** A token for this command, given back at its end (RFC 6749 §4.4, RFC 7009). */
async function clientAccess(baseUrl: string, post: Post): Promise<RemoteAccess> {
  const answer = await post('/oauth2/token', { grant_type: 'client_credentials' });
  const body = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>> | null;
  const { access_token: token, error, error_description: description } = body ?? {};
  if (!answer.ok || typeof token !== 'string' || !isToken(token)) {
    throw new AdminError(
      `The server gave no token: ${String(description ?? error ?? `status ${answer.status}`)}${adviceOn(answer.status, baseUrl)}`,
      { status: answer.status, code: String(error ?? 'unexpected_answer') },
    );
  }
  return {
    token,
    // Whether that works is of no matter to what was done before: the token expires by itself.
    end: () =>
      post('/oauth2/revoke', { token }).then(
        () => {},
        () => {},
      ),
  };
}

/** What a header can carry as a token (RFC 6750 §2.1). Of anything else `fetch` would speak in its error, in clear. */
function isToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

function adviceOn(status: number, baseUrl: string): string {
  if (status === 401) return ` Look at ${adminVariables.clientId} and ${adminVariables.secret}.`;
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

/** @throws UsageError for what is no base URL, or one to which secrets would travel in clear */
export function remoteBaseUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url === undefined || !isSafe || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new UsageError(
      `--url: expected the base URL of a server, https or on a loopback host, got "${given}"`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
