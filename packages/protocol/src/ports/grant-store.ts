import type { AccessToken } from '../model/access-token.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import type { Grant } from '../model/grant.ts';
import type { RefreshToken } from '../model/refresh-token.ts';
import type { ConsentAnswer } from './consent-answer-store.ts';

/** Stores the grants of resource owners. */
export interface GrantStore {
  /**
   * Stores a new grant with its access token (implicit grant), its entry in the audit log and the answer to the consent page, all
   * or nothing. `false`, and nothing stored, when that page was answered before. One statement decides it.
   */
  insert(
    grant: Grant,
    accessToken: AccessToken,
    answer?: ConsentAnswer,
    event?: AuditEvent,
  ): Promise<boolean>;
  /** Revokes the grant with everything issued under it. `false` when it is unknown or already revoked. */
  revoke(id: string, now: number): Promise<boolean>;
  /**
   * The grants of a resource owner under which something can still be valid at `now`, newest first, at most 1000. Of the subject
   * and not of the name, which can have been that of another person.
   */
  listBySubject(subject: string, now: number): Promise<GrantUse[]>;
  /**
   * Revokes every grant of a resource owner to the client, and removes the consent, both or neither. Resolves with the number of
   * revoked grants.
   *
   * @param event stored in the same transaction; not stored when nothing was withdrawn
   */
  withdraw(subject: string, clientRecordId: number, now: number, event?: AuditEvent): Promise<number>;
}

export interface GrantUse {
  readonly grant: Grant;
  /** Epoch milliseconds: when a token was last issued under it. */
  readonly lastUsed: number;
}

/** The tokens of one redemption or rotation, stored together or not at all. */
export interface TokenSet {
  readonly accessToken: AccessToken;
  readonly refreshToken: RefreshToken | undefined;
}

/** The tokens that replace a refresh token. */
export interface TokenPair extends TokenSet {
  readonly refreshToken: RefreshToken;
}
