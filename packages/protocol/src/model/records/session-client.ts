/** A client that got an ID token in a login session, and learns of the end of that session. */
export interface SessionClient {
  /** UUIDv7. It names the delivery of the logout token to administrators. */
  readonly id: string;
  /** The login session whose end the client learns of. */
  readonly sessionId: string;
  readonly clientRecordId: number;
  /** The claim `sid` of the client's ID tokens. */
  readonly sid: string;
  /** The claim `sub` of the client's ID tokens. */
  readonly subject: string;
  /** Epoch milliseconds: the end of the login session in which the client got the ID token, also when it is in use. */
  readonly expires: number;
}

/** A logout token for a client of a session that has ended (OpenID Connect Back-Channel Logout §2.5). */
export interface LogoutDelivery extends SessionClient {
  /** Epoch milliseconds: when the session ended. */
  readonly endedAt: number;
  /** Number of attempts that failed. */
  readonly attempts: number;
  /** Epoch milliseconds of the next attempt; `undefined` when there is none, because the delivery has failed for good. */
  readonly nextAttempt: number | undefined;
  /** Why the last attempt failed, as a sentence without secrets; `undefined` before the first failure. */
  readonly failure: string | undefined;
}

/** Milliseconds after the end of a session for which a delivery that fails is kept. */
export const logoutDeliveryRetention = 7 * 86_400_000;
