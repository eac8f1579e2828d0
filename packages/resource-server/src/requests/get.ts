import { toFetch } from '@watchword/endpoint';
import type { System } from '../platform/system.ts';
import { requestsTo } from './request-to.ts';
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
 * @param find the address, within the time of the request
 * @param maxBytes of the body of an answer
 */
export function getOf(
  find: () => string | Promise<string>,
  maxBytes: number,
  deps: Pick<System, 'fetch' | 'after'>,
): Get {
  const requestTo = requestsTo();
  return (headers, timeout, begun) =>
    within(
      timeout,
      deps,
      async (signal) => {
        const [url, init] = toFetch(requestTo(await find())('GET {+path}', { headers }));
        return send(url, { method: init.method, headers: init.headers, signal }, maxBytes, deps);
      },
      begun,
    );
}
