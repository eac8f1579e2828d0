import type { AuthenticationEvent } from '@watchword/protocol';

/** A login with a password at a local account. */
export function buildAuthenticationEvent(overrides: Partial<AuthenticationEvent> = {}): AuthenticationEvent {
  return {
    authenticatedAt: Date.UTC(2026, 0, 1),
    amr: ['pwd'],
    sessionId: '019b76da-a800-7000-8000-000000000001',
    identityProvider: 'password',
    ...overrides,
  };
}
