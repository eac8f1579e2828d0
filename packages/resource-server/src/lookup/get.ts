import { createEndpoint, toFetch } from '@watchword/endpoint';
import type { System } from '../system.ts';
import { userAgent } from '../user-agent.ts';
import { type Answer, send } from './send.ts';
import { within } from './within.ts';

/**
 * Sends a GET request.
 *
 * @param timeout milliseconds
 * @param begun gets a function that ends the request
 * @throws AuthorizationServerUnavailable `unreachable`, `timeout`
 */
export type Get = (
  headers: Readonly<Record<string, string>>,
  timeout: number,
  begun?: (abort: () => void) => void,
) => Promise<Answer>;

/**
 * @param base URL of the server, without a slash at the end
 * @param maxBytes of the body of an answer
 */
export function getOf(
  { base, path, maxBytes }: { readonly base: string; readonly path: string; readonly maxBytes: number },
  deps: Pick<System, 'fetch' | 'after'>,
): Get {
  const request = createEndpoint({ baseUrl: base, userAgent });
  return (headers, timeout, begun) => {
    const [url, init] = toFetch(request(`GET ${path}`, { headers }));
    const { method, headers: sent } = init;
    return within(
      timeout,
      deps,
      (signal) => send(url, { method, headers: sent, signal }, maxBytes, deps),
      begun,
    );
  };
}
