import { createEndpoint, type Endpoint, type RequestOptions, toFetch } from '@watchword/endpoint';
import { AdminError, errorOf } from './admin-error.ts';

export interface AdminClientOptions {
  /** Base URL of the server, with its path prefix when it has one. */
  readonly baseUrl: string;
  /**
   * Returns an access token of a client of `authorization-server-admin`. Called before each request. Absent for a `fetch`
   * that knows the caller itself: what it rejects with is the error of the call.
   */
  token?(): string | Promise<string>;
  /** Returns another token when the server answers 401. The request is then sent once more. */
  renew?(refused: string): Promise<string>;
  /**
   * Returns a token of a login that is not older than so many seconds, when the server demands one for a request (RFC 9470). The request is
   * then sent once more. Absent: the call fails with `insufficient_user_authentication`.
   */
  logInAgain?(maxAge: number): Promise<string>;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
  /** The header `User-Agent` of all requests. */
  readonly userAgent?: string;
}

export interface Transport {
  /** Makes a request from a route below the base URL and its parameters. */
  readonly endpoint: Endpoint;
  /** @throws AdminError for every answer that is not a success */
  send(request: RequestOptions, signal?: AbortSignal): Promise<Response>;
}

export function createTransport(options: AdminClientOptions): Transport {
  const { fetch: send = fetch, renew, userAgent = 'watchword-admin-client' } = options;
  const endpoint = createEndpoint({ baseUrl: options.baseUrl, userAgent });

  async function attempt(request: RequestOptions, token?: string, signal?: AbortSignal): Promise<Response> {
    const [url, init] = toFetch(request);
    try {
      return await send(url, {
        ...init,
        headers: { ...init.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        cache: 'no-store',
        // Only the token authenticates the caller, and it must not follow a redirect to another server.
        credentials: 'omit',
        redirect: 'error',
        ...(signal && { signal }),
      } as RequestInit);
    } catch (error) {
      if (signal?.aborted || options.token === undefined) throw error;
      throw new AdminError(`The server at ${new URL(url).origin} cannot be reached.`, {
        status: 0,
        code: 'unreachable',
        cause: error,
      });
    }
  }

  return {
    endpoint,
    async send(request, signal) {
      const token = await options.token?.();
      let response = await attempt(request, token, signal);
      if (response.status === 401 && token !== undefined) {
        const maxAge = demandedAge(response);
        const next = maxAge === undefined ? renew?.(token) : options.logInAgain?.(maxAge);
        if (next !== undefined) {
          await response.body?.cancel();
          response = await attempt(request, await next, signal);
        }
      }
      if (response.ok) return response;
      throw await errorOf(response);
    },
  };
}

/** Seconds since the login, at most; `undefined` if the server demands no other login (RFC 9470 §3). */
function demandedAge({ headers }: Response): number | undefined {
  const challenge = headers.get('www-authenticate') ?? '';
  if (!challenge.includes('error="insufficient_user_authentication"')) return undefined;
  return Number(/\bmax_age="(\d+)"/.exec(challenge)?.[1] ?? 0);
}
