import { isJson, overlay } from './data.ts';
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
    const init = overlay(
      { method: method.toUpperCase(), headers: { ...headers } },
      { body: sent, duplex: typeof sent === 'object' ? 'half' : undefined }, // fetch rejects a stream without it
    ) as unknown as FetchInit;
    return [url, init];
  },
);
