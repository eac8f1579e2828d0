import type { AccessToken } from '../../../model/records/access-token.ts';
import type { AuditEvent } from '../../../model/records/audit-event.ts';
import type { Grant } from '../../../model/records/grant.ts';
import type { SessionState } from '../../../model/records/login-session.ts';
import type { RefreshToken } from '../../../model/records/refresh-token.ts';
import type { ConsentAnswer } from './consent-store.ts';

/** Stores the grants of resource owners. */
export interface GrantStore {
  /**
   * Stores a new grant with its access token (implicit grant), its audit event and the answer to the consent page, all or
   * nothing. Of a JWT only the expiry is stored, in the grant. `false`, and nothing is stored, if the page was answered before, or the
   * session is not as it was read.
   *
   * @param accessToken `undefined` if only an ID token is issued: then the grant has no code or token, and is expired
   */
  insert(grant: Grant, accessToken: AccessToken | undefined, context?: AnswerContext): Promise<boolean>;
  /** The grant; `undefined` if it is revoked or removed. An expired one is found until it is purged. */
  find(id: string): Promise<Grant | undefined>;
  /** Revokes the grant with its codes and tokens. `false` if it is unknown or already revoked. */
  revoke(id: string, now: number): Promise<boolean>;
  /**
   * The grants of a resource owner with codes or tokens that can be valid at `now`: at most 1000, the newest first. They are
   * found by the subject, because another user can have had the same name before.
   */
  listBySubject(subject: string, now: number): Promise<GrantUse[]>;
  /**
   * Revokes all grants of a resource owner for each of the clients, and removes the consents, all or nothing. Resolves with the number of
   * revoked grants.
   */
  withdraw(subject: string, withdrawals: readonly Withdrawal[], now: number): Promise<number>;
}

export interface Withdrawal {
  readonly clientRecordId: number;
  /** Stored in the same transaction, if a grant of the client or a consent to it was withdrawn. */
  readonly event?: AuditEvent;
}

/** What is stored together with a new grant, and what must still be so. */
export interface GrantContext {
  /**
   * The login session in which the access is given. The grant is stored only if the session is as it was read, and an end of the session
   * or of access of its owner waits until the grant is stored.
   */
  readonly session?: SessionState | undefined;
  readonly event?: AuditEvent | undefined;
}

export interface AnswerContext extends GrantContext {
  readonly answer?: ConsentAnswer | undefined;
}

export interface GrantUse {
  readonly grant: Grant;
  /** Epoch milliseconds: the last issue of a token of the grant. */
  readonly lastUsed: number;
}

/** The tokens of one redemption or rotation, stored together or not at all. Of a JWT only the expiry is stored, in its grant. */
export interface TokenSet {
  readonly accessToken: AccessToken;
  readonly refreshToken: RefreshToken | undefined;
}

/** The tokens that replace a refresh token. */
export interface TokenPair extends TokenSet {
  readonly refreshToken: RefreshToken;
}
