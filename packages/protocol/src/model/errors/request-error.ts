/** The endpoint of a request. */
export type RequestErrorEndpoint =
  | 'token'
  | 'authorization'
  | 'pushedAuthorization'
  | 'revocation'
  | 'introspection'
  | 'tokenInfo'
  | 'logout';

/** Why a request was refused. No text contains a secret. */
export interface ErrorCause {
  /** The error code of the answer. */
  readonly error: string;
  /** One or a few sentences for the record owner: what was expected, and what came. */
  readonly reason: string;
  /** Name of the rule of `errorRules`; `undefined` in a row that an earlier release wrote. */
  readonly rule: string | undefined;
  /** What the rule expected of this request, in a few words. */
  readonly expected: string | undefined;
  /** What came instead. */
  readonly came: string | undefined;
}

/** A request about a registered client that ended in an error. */
export interface RequestError extends ErrorCause {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly clientRecordId: number;
  readonly endpoint: RequestErrorEndpoint;
  /** Whether the client proved its identity. Anybody can cause an error of a client that did not. */
  readonly isAuthenticated: boolean;
  /** Id of the request in the answer and in the log; `undefined` if it has none. */
  readonly requestId: string | undefined;
}

/** A request that ended in an error and names no registered client. */
export interface UnattributedError extends ErrorCause {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly requestId: string;
  /** Address of the endpoint, as the server has it: with the names of path parameters and without their values. */
  readonly route: string;
}
