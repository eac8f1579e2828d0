import type { AuthenticationContext, AuthenticationEvent } from '@watchword/protocol';

/** The context of a login for the account page, without a client. */
export function authenticationContext(overrides: Partial<AuthenticationContext> = {}): AuthenticationContext {
  return {
    client: undefined,
    resourceServer: undefined,
    source: '192.0.2.1',
    isAtThisMachine: false,
    device: undefined,
    isFresh: false,
    selectsAccount: false,
    loginHint: undefined,
    acrValues: [],
    uiLocales: [],
    display: undefined,
    requestId: 'request-1',
    state: undefined,
    ...overrides,
  };
}

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
