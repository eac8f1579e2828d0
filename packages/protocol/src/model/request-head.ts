/** A request without its parameters. Proofs of possession and certificates are checked against it. */
export interface RequestHead {
  /** In capital letters, as the client sent it. */
  readonly method: string;
  /**
   * Absolute, with the origin of the base URL and without query and fragment, as `htu` of a DPoP proof (RFC 9449 §4.2). The
   * path is encoded as the client sent it: both are normalized before they are compared (RFC 9449 §4.3).
   */
  readonly url: string;
  readonly headers: RequestHeaders;
  /** The network address of the caller. Failed attempts are counted for each address. */
  readonly source: string;
  /** Thumbprint of the certificate with which a trusted proxy says that the request came (RFC 8705 §3.1). */
  readonly clientCertificate?: string | undefined;
  /** For the next DPoP proof of the client (RFC 9449 §8.2): the check of a proof sets it, and the answer has it. */
  nextNonce?: string | undefined;
  /** Id of the request in the log. */
  readonly requestId?: string;
}

/** By name in lower case. The values of a repeated field are joined by a comma, or are a list. */
export interface RequestHeaders {
  readonly authorization?: string | undefined;
  readonly [name: string]: string | readonly string[] | undefined;
}
