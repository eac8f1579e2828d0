import type { AuthenticationContext } from '@watchword/protocol';

/** The context of a login for the account page, without a client. */
export function authenticationContext(overrides: Partial<AuthenticationContext> = {}): AuthenticationContext {
  return {
    client: undefined,
    resourceServer: undefined,
    source: '192.0.2.1',
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
