/** The endpoint of a request. */
export type RequestErrorEndpoint =
  | 'token'
  | 'authorization'
  | 'revocation'
  | 'introspection'
  | 'tokenInfo'
  | 'logout';

/** A request about a registered client that ended in an error. */
export interface RequestError {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly clientRecordId: number;
  readonly endpoint: RequestErrorEndpoint;
  /** The error code of the answer. */
  readonly error: string;
  /** One or a few sentences for the record owner: what was expected, and what came. It never contains a secret. */
  readonly reason: string;
  /** Whether the client proved its identity. Anybody can cause an error of a client that did not. */
  readonly isAuthenticated: boolean;
  /** Id of the request in the log; `undefined` if the log has none. */
  readonly requestId: string | undefined;
}
