import {
  type AuditEvent,
  type AuthorizationCodeStore,
  maxCodeFailures,
  type RefreshTokenStore,
} from '@watchword/protocol';
import type { MemoryConsents } from './memory-consents.ts';
import { type GrantRows, type IsHeld, requireGrant, requireGrants } from './memory-grant-rows.ts';

/** @param events the audit log */
export function memoryAuthorizationCodes(
  rows: GrantRows,
  events: AuditEvent[],
  consents: MemoryConsents,
  isHeld: IsHeld,
): AuthorizationCodeStore {
  return {
    async insert(code, grant, { session, event, consent, accessToken } = {}) {
      requireGrant(grant.id, code);
      if (accessToken !== undefined) requireGrant(grant.id, accessToken);
      if (!isHeld(session) || rows.isAnswered(code.id)) return false;
      if (consent !== undefined && !consents.accepts(consent)) return false;
      rows.codes.set(code.id, { code, failures: 0, isRedeemed: false });
      rows.put(grant, code.expires);
      const stored = rows.activeGrant(grant.id);
      if (accessToken !== undefined && stored !== undefined)
        rows.issue(stored, { accessToken, refreshToken: undefined }, grant.creationDate);
      if (event !== undefined) events.push(event);
      if (consent !== undefined) await consents.store.save(consent, grant.id);
      return true;
    },
    async find(id) {
      const stored = rows.codes.get(id);
      if (stored === undefined) return undefined;
      const grant = rows.grants.get(stored.code.grantId)?.grant;
      return { code: stored.code, isRedeemed: stored.isRedeemed, grant };
    },
    async recordFailure(id) {
      const stored = rows.codes.get(id);
      if (stored !== undefined) stored.failures += 1;
    },
    async redeem(id, issued, now) {
      const stored = rows.codes.get(id);
      const grant = rows.activeGrant(stored?.code.grantId);
      if (stored === undefined || grant === undefined) return false;
      if (stored.isRedeemed || stored.failures >= maxCodeFailures) return false;
      requireGrants(grant.grant.id, issued);
      stored.isRedeemed = true;
      rows.issue(grant, issued, now);
      return true;
    },
  };
}

export function memoryRefreshTokens(rows: GrantRows): RefreshTokenStore {
  return {
    async find(id) {
      const stored = rows.refreshTokens.get(id);
      const grant = rows.activeGrant(stored?.token.grantId)?.grant;
      if (stored === undefined || grant === undefined) return undefined;
      const { token, rotation } = stored;
      if (rotation === undefined) return { token, rotation, grant };
      const { at, sealedAnswer, successorId } = rotation;
      const successorIsRotated = rows.refreshTokens.get(successorId)?.rotation !== undefined;
      return { token, rotation: { at, sealedAnswer, successorIsRotated }, grant };
    },
    async rotate(id, issued, sealedAnswer, now) {
      const stored = rows.refreshTokens.get(id);
      const grant = rows.activeGrant(stored?.token.grantId);
      if (stored === undefined || grant === undefined || stored.rotation !== undefined) return false;
      requireGrants(grant.grant.id, issued);
      stored.rotation = { at: now, sealedAnswer, successorId: issued.refreshToken.id };
      rows.issue(grant, issued, now, stored.repetitions > 0 ? stored.streak + 1 : 0);
      return true;
    },
    async use(id, accessToken, expires, now) {
      const stored = rows.refreshTokens.get(id);
      const grant = rows.activeGrant(stored?.token.grantId);
      if (stored === undefined || grant === undefined || stored.rotation !== undefined) return false;
      requireGrant(grant.grant.id, accessToken);
      const token = { ...stored.token, expires };
      rows.refreshTokens.set(id, { ...stored, token });
      rows.issue(grant, { accessToken, refreshToken: undefined }, now);
      if (grant.expires !== 0) grant.expires = Math.max(grant.expires, expires);
      return true;
    },
    async repeatRotation(id, limits) {
      const successor = rows.refreshTokens.get(rows.refreshTokens.get(id)?.rotation?.successorId ?? '');
      if (successor === undefined || rows.activeGrant(successor.token.grantId) === undefined) return 'used';
      successor.repetitions += 1;
      if (successor.rotation !== undefined) return 'used';
      if (limits.streak > 0 && successor.streak + 1 >= limits.streak) return 'streak';
      return successor.repetitions > limits.repetitions ? 'exhausted' : 'answered';
    },
  };
}
