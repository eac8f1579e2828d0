import type { Identity } from '../model/resource-owner.ts';

/**
 * Told of attempts that failed, for the log of the operator. Account names come as they were given: what was typed as one
 * may be a password, so whoever writes them down writes a keyed digest.
 */
export interface SecurityLog {
  loginFailed(failure: FailedLogin): void;
  tokenRefused(refusal: RefusedTokenRequest): void;
}

interface Refused {
  /** Id of the request in the log. */
  readonly requestId: string | undefined;
  /** Network address. */
  readonly source: string;
  /** `undefined` when it names no client that is registered. */
  readonly clientId: string | undefined;
  /** Of whom it was; `undefined` when that is not known. */
  readonly account: Identity | undefined;
  /** A stable name: of an error, or of what the login page says. */
  readonly reason: string;
}

export interface FailedLogin extends Refused {
  /** Name of the authentication module. */
  readonly authenticator: string;
  /** HTTP status of the answer, where it is a form. */
  readonly status: number | undefined;
}

export interface RefusedTokenRequest extends Refused {
  /** `undefined` when it is none that the server supports. */
  readonly grantType: string | undefined;
}
