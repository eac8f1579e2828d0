import type { AccessToken } from '../../../model/records/access-token.ts';
import type { AuthorizationCode } from '../../../model/records/authorization-code.ts';
import type { Grant } from '../../../model/records/grant.ts';
import type { GivenConsent } from './consent-store.ts';
import type { GrantContext, TokenSet } from './grant-store.ts';

/** Stores authorization codes, from their issue until the purge removes them. */
export interface AuthorizationCodeStore {
  /**
   * Stores a new grant with its code, the access token that is issued beside the code, its audit event and the consent, all or nothing. `false`, and nothing is
   * stored, if there is a code with the id, an answer was stored under the id, the session is not as it was read, or the consent does
   * not replace what it says. If the database has shards, the grant can be stored, but revoked.
   */
  insert(code: AuthorizationCode, grant: Grant, context?: CodeContext): Promise<boolean>;
  /** The code with the id, also if it is redeemed or expired. */
  find(id: string): Promise<FoundAuthorizationCode | undefined>;
  /** Counts a failed attempt to redeem the code. */
  recordFailure(id: string): Promise<void>;
  /**
   * Redeems the code and stores the tokens, in one transaction. Of any number of simultaneous callers exactly one succeeds.
   * `false`, and nothing is stored, if the code is redeemed, has {@link maxCodeFailures} failures, or its grant is revoked.
   */
  redeem(id: string, tokens: TokenSet, now: number): Promise<boolean>;
}

export interface CodeContext extends GrantContext {
  /** Of the hybrid flow. Of a JWT only the expiry is stored, in the grant. */
  readonly accessToken?: AccessToken | undefined;
  readonly consent?: GivenConsent | undefined;
}

export interface FoundAuthorizationCode {
  readonly code: AuthorizationCode;
  readonly isRedeemed: boolean;
  /** The grant of the code, revoked or not; `undefined` if the purge has removed it. */
  readonly grant: Grant | undefined;
}

/** After this number of failed attempts a code is no longer valid. */
export const maxCodeFailures = 5;
