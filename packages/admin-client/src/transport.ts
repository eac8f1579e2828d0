import { createEndpoint, type Endpoint, type RequestOptions, toFetch } from '@watchword/endpoint';
import { AdminError, errorOf } from './admin-error.ts';

export interface AdminClientOptions {
  /** Base URL of the server, with its path prefix when it has one. */
  readonly baseUrl: string;
  /** The access token of a client of `authorization-server-admin`. Asked for before each request. */
  token(): string | Promise<string>;
  /** Another token in place of one that the server has refused; the request is sent once more with it. */
  renew?(refused: string): Promise<string>;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
  /** What requests call themselves. */
  readonly userAgent?: string;
}

export interface Transport {
  /** Turns a route below the base URL and parameters into a request. */
  readonly endpoint: Endpoint;
  /** @throws AdminError for every answer that is not a success */
  send(request: RequestOptions, signal?: AbortSignal): Promise<Response>;
}

export function createTransport(options: AdminClientOptions): Transport {
  const { fetch: send = fetch, renew, userAgent = 'watchword-admin-client' } = options;
  const endpoint = createEndpoint({ baseUrl: options.baseUrl, userAgent });

  async function attempt(request: RequestOptions, token: string, signal?: AbortSignal): Promise<Response> {
    const [url, init] = toFetch(request);
    try {
      return await send(url, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
        cache: 'no-store',
        // The token alone says who calls, and it goes nowhere else.
        credentials: 'omit',
        redirect: 'error',
        ...(signal && { signal }),
      } as RequestInit);
    } catch (error) {
      if (signal?.aborted) throw error;
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
      const token = await options.token();
      let response = await attempt(request, token, signal);
      if (response.status === 401 && renew !== undefined) {
        await response.body?.cancel();
        response = await attempt(request, await renew(token), signal);
      }
      if (response.ok) return response;
      throw await errorOf(response);
    },
  };
}
