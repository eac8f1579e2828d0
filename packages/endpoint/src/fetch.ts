import { bodyOf, clientOptions, withTimeoutSignal } from './client.ts';
import { guarded } from './endpoint-error.ts';
import type { RequestOptions } from './types/options.ts';

/** What `fetch` takes as a body where this is compiled; unknown where no such type is in scope. */
type FetchBody = typeof globalThis extends { Response: new (body?: infer Body, ...rest: never[]) => unknown }
  ? Body
  : unknown;

/** A `RequestInit`, in Node.js, browsers, Deno, Bun and Workers alike. */
export interface FetchInit {
  /** Upper case: fetch itself does that for some methods only, and not for PATCH. */
  method: string;
  headers: Record<string, string>;
  body?: FetchBody;
  duplex?: 'half';
}

/**
 * Request options as the arguments of fetch: `fetch(...toFetch(endpoint('GET /user')))`. The members of `request` go along,
 * with `timeout` (milliseconds) as a signal.
 */
export const toFetch = guarded((options: RequestOptions): [url: string, init: FetchInit] => {
  const init = withTimeoutSignal(clientOptions(options)) as FetchInit & object;
  const sent = bodyOf(options.body);
  if (sent !== undefined) init.body = sent as FetchBody;
  // fetch rejects a stream without it.
  if (typeof sent === 'object') init.duplex = 'half';
  return [options.url, init];
});
