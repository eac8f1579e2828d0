import type { AuditEvent } from '../model/audit-event.ts';
import type { AuthorizationCode } from '../model/authorization-code.ts';
import type { Grant } from '../model/grant.ts';
import type { GivenConsent } from './consent-store.ts';
import type { TokenSet } from './grant-store.ts';

/** Stores authorization codes, from their issue until the purge removes them. */
export interface AuthorizationCodeStore {
  /**
   * Stores a new grant with its code, its audit event and the consent that was given with it, all or nothing. One statement
   * decides. `false`, and nothing is stored, if there is a code with the id, or an answer was stored under the id.
   *
   * @param consent replaces the consent of its key. If the database has shards, it can be missing after a failed call.
   */
  insert(code: AuthorizationCode, grant: Grant, event?: AuditEvent, consent?: GivenConsent): Promise<boolean>;
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

export interface FoundAuthorizationCode {
  readonly code: AuthorizationCode;
  readonly isRedeemed: boolean;
  /** The grant of the code, revoked or not; `undefined` if the purge has removed it. */
  readonly grant: Grant | undefined;
}

/** After this number of failed attempts a code is no longer valid. */
export const maxCodeFailures = 5;
