/** What a request URI answers: the request object, or why there is none. */
export type RequestObjectAnswer =
  | { readonly text: string }
  /** A phrase that follows the name of the parameter. It does not describe the network of the server. */
  | { readonly problem: string };

/** A registered request URI, and the client that registered it. */
export interface RequestUri {
  readonly clientId: string;
  readonly uri: string;
}

/** Requests the objects at registered request URIs (RFC 9101 §5.2). */
export interface RequestObjects {
  /**
   * Never rejects because of what the other server does. Takes a limited time and a limited memory.
   *
   * @param source network address that asks
   */
  read(registered: RequestUri, source: string): Promise<RequestObjectAnswer>;
}
