import { isJson } from './data.ts';
import { guarded } from './endpoint-error.ts';
import type { RequestOptions } from './types.ts';

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

/** Request options as the arguments of fetch: `fetch(...toFetch(endpoint('GET /user')))`. */
export const toFetch = guarded(
  ({ method, url, headers, body }: RequestOptions): [url: string, init: FetchInit] => {
    const sent = isJson(body) ? JSON.stringify(body) : body;
    const init: FetchInit = { method: method.toUpperCase(), headers: { ...headers } };
    if (sent !== undefined) init.body = sent as FetchBody;
    // fetch rejects a stream without it.
    if (typeof sent === 'object') init.duplex = 'half';
    return [url, init];
  },
);
