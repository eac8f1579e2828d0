import type { Identity } from '../../model/resource-owner.ts';

/**
 * Receives failed attempts, for the log of the operator. Account names are as the user typed them. A user can type a password
 * in the field of the user name, so an implementation stores only a keyed digest of the name.
 */
export interface SecurityLog {
  loginFailed(failure: FailedLogin): void;
  tokenRequestFailed(failure: FailedTokenRequest): void;
}

interface FailedAttempt {
  /** Id of the request in the log. */
  readonly requestId: string | undefined;
  /** Network address. */
  readonly source: string;
  /** `undefined` if the request names no registered client. */
  readonly clientId: string | undefined;
  /** The account of the attempt; `undefined` if it is not known. */
  readonly account: Identity | undefined;
  /** A stable name: of an error, or of the text of the login page. */
  readonly reason: string;
}

export interface FailedLogin extends FailedAttempt {
  /** Name of the authentication module. */
  readonly authenticator: string;
  /** HTTP status of the answer, if the answer is a form. */
  readonly status: number | undefined;
}

export interface FailedTokenRequest extends FailedAttempt {
  /** `undefined` if the server does not support the grant type. */
  readonly grantType: string | undefined;
}
