import { AdminError, errorOf } from './admin-error.ts';
import type { AdminClientOptions } from './transport.ts';

/** A client of `authorization-server-admin` that acts for itself, and its server. */
export interface ClientCredentials {
  /** Base URL of the server, with its path prefix when it has one. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
}

/** The access tokens of a client that acts for itself: options of an administration client. */
export interface ClientTokens extends Required<Pick<AdminClientOptions, 'token' | 'renew'>> {
  token(): Promise<string>;
  /** Revokes the token that is in use, if there is one (RFC 7009). */
  revoke(): Promise<void>;
}

interface Issued {
  readonly value: string;
  /** Epoch milliseconds after which another one is requested. */
  readonly usableUntil: number;
}

// Milliseconds that an access token is valid at least when a request begins, or half of its lifetime.
const margin = 30_000;

/**
 * Gets access tokens with the client credentials grant (RFC 6749 §4.4), and another one before one expires or when the server refuses one.
 * Requests at the same time share it.
 */
export function clientCredentials(client: ClientCredentials): ClientTokens {
  let current: Promise<Issued> | undefined;
  const request = () => {
    const requested = requestToken(client);
    current = requested;
    requested.catch(() => {
      if (current === requested) current = undefined;
    });
    return requested;
  };
  const usable = async (refused?: string): Promise<string> => {
    const before = current;
    const issued = await before;
    if (issued !== undefined && issued.value !== refused && issued.usableUntil > Date.now())
      return issued.value;
    // Another request can have asked for a new one meanwhile.
    return (await (current === before || current === undefined ? request() : current)).value;
  };
  return {
    token: () => usable(),
    renew: usable,
    async revoke() {
      const issued = await current?.catch(() => undefined);
      current = undefined;
      if (issued === undefined) return;
      const response = await post(client, '/oauth2/revoke', { token: issued.value });
      if (!response.ok) throw await errorOf(response);
      await response.body?.cancel();
    },
  };
}

/** @throws AdminError with the code of the server */
async function requestToken(client: ClientCredentials): Promise<Issued> {
  const response = await post(client, '/oauth2/token', { grant_type: 'client_credentials' });
  if (!response.ok) throw notIssued(await errorOf(response));
  const body = (await response.json().catch(() => null)) as Readonly<Record<string, unknown>> | null;
  const { access_token: value, expires_in: lifetime = 0 } = body ?? {};
  // Of any other text the error of `fetch` would contain it in clear (RFC 6750 §2.1).
  if (typeof value !== 'string' || !/^[\w.~+/-]+=*$/.test(value)) {
    const { status } = response;
    throw notIssued(
      new AdminError(`its answer of status ${status} has none that can be used.`, {
        status,
        code: 'unexpected_answer',
      }),
    );
  }
  const milliseconds = typeof lifetime === 'number' ? lifetime * 1000 : 0;
  const left =
    milliseconds === 0 ? Number.POSITIVE_INFINITY : milliseconds - Math.min(margin, milliseconds / 2);
  return { value, usableUntil: Date.now() + left };
}

function notIssued(error: AdminError): AdminError {
  const { status, code, retryAfter, requestId } = error;
  const details = { status, code, retryAfter, requestId, cause: error };
  return new AdminError(`The server did not issue an access token: ${error.message}`, details);
}

/** @throws AdminError `unreachable` */
async function post(
  { baseUrl, clientId, clientSecret, fetch: send = fetch }: ClientCredentials,
  path: string,
  form: Record<string, string>,
): Promise<Response> {
  const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`);
  const credentials = btoa(String.fromCharCode(...bytes));
  try {
    return await send(`${baseUrl.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams(form),
      redirect: 'error',
    });
  } catch (cause) {
    throw new AdminError(`The server at ${new URL(baseUrl).origin} cannot be reached.`, {
      status: 0,
      code: 'unreachable',
      cause,
    });
  }
}
