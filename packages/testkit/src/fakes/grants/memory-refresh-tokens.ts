import type { RefreshTokenStore } from '@watchword/protocol';
import { type GrantRows, requireGrants } from './memory-grant-rows.ts';

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
