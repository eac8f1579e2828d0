import type { AuditEvent } from '../model/audit-event.ts';
import type { AuthorizationCode } from '../model/authorization-code.ts';
import type { Grant } from '../model/grant.ts';
import type { TokenSet } from './grant-store.ts';

/** Stores authorization codes, from their issue until the purge removes them. */
export interface AuthorizationCodeStore {
  /**
   * Stores a new grant with its code and its entry in the audit log, all or nothing. `false`, and nothing stored, when there is a code with that id, or
   * an answer was noted under it. Decided by one statement.
   */
  insert(code: AuthorizationCode, grant: Grant, event?: AuditEvent): Promise<boolean>;
  /** The code with that id, redeemed ones and expired ones included. */
  find(id: string): Promise<FoundAuthorizationCode | undefined>;
  /** Counts a refused attempt to redeem the code. */
  recordFailure(id: string): Promise<void>;
  /**
   * Consumes the code and stores the tokens, in one transaction. Of any number of callers at once exactly one succeeds.
   * `false`, and nothing stored, when the code is consumed, has {@link maxCodeFailures} failures, or its
   * grant is revoked.
   */
  redeem(id: string, tokens: TokenSet, now: number): Promise<boolean>;
}

export interface FoundAuthorizationCode {
  readonly code: AuthorizationCode;
  readonly isRedeemed: boolean;
  /** The grant that it belongs to, revoked or not; `undefined` when the purge has removed it. */
  readonly grant: Grant | undefined;
}

/** After so many refused attempts a code is no longer valid. */
export const maxCodeFailures = 5;
