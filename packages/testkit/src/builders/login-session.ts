import type { LoginSession } from '@watchword/protocol';
import { buildAuthenticationEvent } from './authentication.ts';
import { buildResourceOwner } from './resource-owner.ts';
import { selectorFactory } from './selector.ts';

/** Each call makes another session; its id holds `creationDate`. */
export type SessionFactory = (overrides?: Partial<LoginSession>) => LoginSession;

export function sessionFactory(seed = 'sessions'): SessionFactory {
  const selector = selectorFactory(seed);
  return (overrides = {}) => {
    const creationDate = overrides.creationDate ?? Date.UTC(2026, 0, 1);
    const { id, verifierHash } = selector(creationDate);
    return {
      id,
      verifierHash,
      authenticator: 'form',
      owner: buildResourceOwner(),
      authentication: buildAuthenticationEvent({ sessionId: id, authenticatedAt: creationDate }),
      creationDate,
      lastUsed: creationDate,
      expires: creationDate + 8 * 3_600_000,
      ends: 0,
      source: '192.0.2.7',
      device: 'Firefox, Linux',
      ...overrides,
    };
  };
}
