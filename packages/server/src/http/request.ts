import type { IncomingHttpHeaders } from 'node:http';

/** A request as an endpoint sees it: a value, whatever server received it. */
export interface HttpRequest {
  /** Names this request in the log and on error pages. */
  readonly id: string;
  readonly method: string;
  /** The request target as it was sent: path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The network address that the request comes from; behind a trusted proxy the one that the proxy names. */
  readonly source: string;
  /** The path of the endpoint, such as `/records/:id`; `''` when the request finds none. */
  readonly route: string;
  /** The variable parts of the path, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** `undefined` when the request has no body. */
  readonly body: Buffer | undefined;
}
