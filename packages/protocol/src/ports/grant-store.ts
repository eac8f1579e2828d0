import type { AccessToken } from '../model/access-token.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import type { Grant } from '../model/grant.ts';
import type { RefreshToken } from '../model/refresh-token.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { ConsentAnswer } from './consent-answer-store.ts';

/** What resource owners have allowed. */
export interface GrantStore {
  /**
   * Stores a new grant with its access token (implicit grant) and its entry in the audit log, and notes the answer to a
   * consent page that they are, all or nothing. `false`, and nothing stored, when that page was answered before. Decided by
   * one statement.
   */
  insert(
    grant: Grant,
    accessToken: AccessToken,
    answer?: ConsentAnswer,
    event?: AuditEvent,
  ): Promise<boolean>;
  /** Kills the grant and everything under it. `false` when it is unknown or revoked already. */
  revoke(id: string, now: number): Promise<boolean>;
  /** The owner's grants of which something may still be alive at `now`, newest first, at most 1000. */
  listByOwner(owner: Identity, now: number): Promise<GrantUse[]>;
  /**
   * Kills every grant that the owner gave the client, and forgets the consent, both or neither. Resolves with the
   * number of grants that died.
   *
   * @param event stored with it; none when nothing was withdrawn
   */
  withdraw(owner: Identity, clientRecordId: number, now: number, event?: AuditEvent): Promise<number>;
}

export interface GrantUse {
  readonly grant: Grant;
  /** Epoch milliseconds: when a token was last issued under it. */
  readonly lastUsed: number;
}

/** What one redemption or rotation issues, stored together or not at all. */
export interface TokenSet {
  readonly accessToken: AccessToken;
  readonly refreshToken: RefreshToken | undefined;
}

/** What takes the place of a refresh token. */
export interface TokenPair extends TokenSet {
  readonly refreshToken: RefreshToken;
}
