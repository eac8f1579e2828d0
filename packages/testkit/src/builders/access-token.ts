import type { StoredAccessToken } from '@watchword/protocol';
import { selectorFactory } from './selector.ts';

/** Each call makes another token. Its id contains `creationDate`, on which the store can rely. */
export type TokenFactory = (overrides?: Partial<StoredAccessToken>) => StoredAccessToken;

export function tokenFactory(seed = 'tokens'): TokenFactory {
  const selector = selectorFactory(seed);
  return (overrides = {}) => {
    const creationDate = overrides.creationDate ?? Date.UTC(2026, 0, 1);
    return {
      ...selector(creationDate, overrides.grantId),
      clientRecordId: 1,
      grantId: undefined,
      scopes: ['read'],
      expires: 0,
      creationDate,
      ...overrides,
    };
  };
}
