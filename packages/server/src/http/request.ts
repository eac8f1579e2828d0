import type { IncomingHttpHeaders } from 'node:http';

/** A request as an endpoint gets it: a value, independent of the server that received it. */
export interface HttpRequest {
  /** Identifies this request in the log and on error pages. */
  readonly id: string;
  readonly method: string;
  /** The request target in origin form: path and query, encoded as the client sent them. `*` is the server as a whole. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The network address of the client. Behind a trusted proxy it is the address that the proxy reports. */
  readonly source: string;
  /** Thumbprint of the certificate with which a trusted proxy says that the request came. */
  readonly clientCertificate?: string | undefined;
  /** The path of the endpoint, such as `/records/:id`; `''` if there is no endpoint. */
  readonly route: string;
  /** The variable parts of the path, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** `undefined` if the request has no body. */
  readonly body: Buffer | undefined;
}
