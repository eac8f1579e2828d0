/** Why a request failed. */
export type OutboundErrorKind =
  /** The URL is not absolute, has a scheme that is not permitted, or has a user name or a password. */
  | 'invalid-url'
  /** The host has no address. */
  | 'unresolved-host'
  /** One address of the host is not on the public internet. */
  | 'private-address'
  /** No connection, or a connection that ended too early. */
  | 'unreachable'
  /** TLS failed; in most cases the certificate is not valid for the host. */
  | 'tls'
  /** The answer did not begin, or did not end, in time. */
  | 'timeout'
  /** The body of the answer has more bytes than the caller accepts. */
  | 'too-large'
  /** The server redirects further than permitted, or to a place that is not permitted. */
  | 'redirect'
  /** The answer is not HTTP, or its body is not what its headers announce. */
  | 'malformed-answer'
  /** The caller's signal ended the request. */
  | 'aborted';

/**
 * A request that has no usable answer. The message is a sentence for an operator. It names the host, and never the path,
 * the query, a header or a body, because those can hold secrets.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
