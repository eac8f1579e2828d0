import type { Asked } from '../possession/asked.ts';
import type { TokenInfo } from '../token-info.ts';
import type { OpenAnswer } from './guard.ts';

/** What is read of a request of `node:http`, and of the frameworks that stand on it. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Where a framework takes a part of the path off `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** Names and values in turn, as they came. */
  readonly rawHeaders?: readonly string[];
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

export interface NodeResponse {
  statusCode: number;
  readonly headersSent: boolean;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * Every `Authorization` header. `node:http` keeps the first of several in `headers` and drops the others; a proxy before
 * it may have looked at another one.
 */
export function authorizationOf({ headers, rawHeaders = [] }: NodeRequest): readonly string[] {
  const { authorization } = headers;
  if (authorization === undefined) return [];
  const names = rawHeaders.filter((name, index) => index % 2 === 0 && isAuthorization(name));
  const values = Array.isArray(authorization) ? authorization : [authorization];
  // Only the number is taken from the raw headers: what stands before may have replaced the value.
  return names.length > 1 ? [...values, ...names] : values;
}

function isAuthorization(name: string): boolean {
  return name.length === 13 && name.toLowerCase() === 'authorization';
}

/** Where a request was sent. */
export function urlOf({ headers, originalUrl, url = '/' }: Omit<NodeRequest, 'rawHeaders'>): string {
  const target = originalUrl ?? url;
  return target.startsWith('/') ? `http://${headers.host ?? headers[':authority']}${target}` : target;
}

export function askedBy(request: NodeRequest & { readonly tokenInfo?: TokenInfo | undefined }): Asked {
  return {
    method: request.method,
    url: () => urlOf(request),
    header: (name) => request.headers[name],
    peer: request.socket?.remoteAddress,
    request,
    tokenInfo: request.tokenInfo,
  };
}

/** Does nothing where someone has answered in the meantime, for example after a time-out of the API's own. */
export function send(response: NodeResponse, { status, headers, body }: OpenAnswer): void {
  if (response.headersSent) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-type', 'application/json');
  response.end(body);
}
