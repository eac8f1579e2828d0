import { createEndpoint, toFetch } from '@watchword/endpoint';
import { AuthorizationServerUnavailable } from '../errors.ts';
import type { AbortSignal, FetchAnswer } from '../platform.ts';
import type { System } from '../system.ts';
import { userAgent } from '../user-agent.ts';
import { networkProblem } from './network-problem.ts';
import { readText } from './read-text.ts';
import { within } from './within.ts';

export interface GetAnswer {
  readonly status: number;
  readonly headers: FetchAnswer['headers'];
  /** `undefined` if the body is longer than it can be. */
  readonly text: string | undefined;
}

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
) => Promise<GetAnswer>;

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
    const send = async (signal: AbortSignal): Promise<GetAnswer> => {
      try {
        const { method } = init;
        // No other host may receive the secret, nor send keys.
        const answer = await deps.fetch(url, { method, headers: init.headers, redirect: 'manual', signal });
        return { status: answer.status, headers: answer.headers, text: await readText(answer, maxBytes) };
      } catch (cause) {
        throw new AuthorizationServerUnavailable('unreachable', { detail: networkProblem(cause), cause });
      }
    };
    return within(timeout, deps, send, begun);
  };
}
