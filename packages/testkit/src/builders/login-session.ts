import type { LoginSession } from '@watchword/protocol';
import { buildResourceOwner } from './resource-owner.ts';
import { selectorFactory } from './selector.ts';

/** Each call makes another session; its id says `authenticatedAt`. */
export type SessionFactory = (overrides?: Partial<LoginSession>) => LoginSession;

export function sessionFactory(seed = 'sessions'): SessionFactory {
  const selector = selectorFactory(seed);
  return (overrides = {}) => {
    const authenticatedAt = overrides.authenticatedAt ?? Date.UTC(2026, 0, 1);
    return {
      ...selector(authenticatedAt),
      authenticator: 'form',
      owner: buildResourceOwner(),
      authenticatedAt,
      lastUsed: authenticatedAt,
      expires: authenticatedAt + 8 * 3_600_000,
      ...overrides,
    };
  };
}
