import { timingSafeEqual } from 'node:crypto';
import type { FoundRefreshToken, RefreshTokenStore } from '../ports/stores/grants/refresh-token-store.ts';
import { parseBearerValue } from './bearer-value.ts';

/**
 * Finds what a presented refresh token names: used and expired tokens included, but none whose grant is revoked.
 * `undefined` for any text that this server has not issued.
 */
export async function findRefreshToken(
  value: string,
  refreshTokens: RefreshTokenStore,
): Promise<FoundRefreshToken | undefined> {
  const presented = parseBearerValue('refresh', value);
  const found = presented && (await refreshTokens.find(presented.id));
  return found && timingSafeEqual(found.token.verifierHash, presented.verifierHash) ? found : undefined;
}
