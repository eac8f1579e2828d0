import type { AuthenticationContext } from '@watchword/protocol';

/** Somebody who wants to see their own account. */
export function authenticationContext(overrides: Partial<AuthenticationContext> = {}): AuthenticationContext {
  return {
    client: undefined,
    resourceServer: undefined,
    source: '192.0.2.1',
    isFresh: false,
    requestId: 'request-1',
    state: undefined,
    ...overrides,
  };
}
