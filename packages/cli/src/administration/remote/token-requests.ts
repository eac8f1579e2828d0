import { AdminError } from '@watchword/admin-client';

/** A server, for a public client, which names itself in each form. */
export interface TokenServer {
  readonly baseUrl: string;
  readonly send: typeof fetch;
}

/** The access token of a command. */
export interface RemoteAccess {
  token(): string | Promise<string>;
  /** Returns another token when the server refused this one. */
  renew?(refused: string): Promise<string>;
  /** Revokes the token that was obtained for this command only. */
  end(): Promise<void>;
}

export interface Tokens {
  readonly accessToken: string;
  /** Absent when the server sent none. */
  readonly refreshToken: string | undefined;
  /** Seconds; 0 = does not expire. */
  readonly expiresIn: number;
}

/** Asks the token endpoint. @throws AdminError with the code of the server */
export async function requestTokens(server: TokenServer, form: Record<string, string>): Promise<Tokens> {
  const answer = await post(server, '/oauth2/token', form);
  const body = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>> | null;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = body ?? {};
  if (!answer.ok || typeof accessToken !== 'string' || !isToken(accessToken)) {
    const { error, error_description: description } = body ?? {};
    throw new AdminError(
      `The server did not issue an access token: ${String(description ?? error ?? `status ${answer.status}`)}${adviceOn(answer.status, server)}`,
      { status: answer.status, code: String(error ?? 'unexpected_answer') },
    );
  }
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    expiresIn: typeof expiresIn === 'number' ? expiresIn : 0,
  };
}

/** Revokes a token (RFC 7009): a refresh token with everything that was issued with it. @throws AdminError */
export async function revokeToken(
  server: TokenServer,
  token: string,
  form: Record<string, string> = {},
): Promise<void> {
  const answer = await post(server, '/oauth2/revoke', { ...form, token });
  await answer.body?.cancel();
  if (answer.ok) return;
  throw new AdminError(`The server did not revoke the token: status ${answer.status}.`, {
    status: answer.status,
    code: 'unexpected_answer',
  });
}

/** A token that a header can carry (RFC 6750 §2.1). For any other text the error of `fetch` would contain it in clear. */
export function isToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

/** What to do after a status, as the end of a sentence. */
export function adviceOn(status: number, { baseUrl }: Pick<TokenServer, 'baseUrl'>): string {
  return status === 404 ? ` Expected the base URL of a server, got ${baseUrl}` : '';
}

/** @throws AdminError `unreachable` */
async function post(
  { baseUrl, send }: TokenServer,
  path: string,
  form: Record<string, string>,
): Promise<Response> {
  return reached(baseUrl, () =>
    send(`${baseUrl}${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'error',
    }),
  );
}

/** @throws AdminError `unreachable` */
export async function reached(baseUrl: string, ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask();
  } catch (cause) {
    throw new AdminError(`The server at ${new URL(baseUrl).origin} cannot be reached.`, {
      status: 0,
      code: 'unreachable',
      cause,
    });
  }
}
