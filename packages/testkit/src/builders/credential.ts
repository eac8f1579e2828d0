import { accountIdentityProvider, type Credential } from '@watchword/protocol';

export function buildCredential(overrides: Partial<Credential> = {}): Credential {
  return {
    id: '019aa000-0000-7000-8000-000000000001',
    subject: 'sübject of emma',
    owner: { identityProvider: accountIdentityProvider, name: 'emma' },
    kind: 'totp',
    name: 'Émmas "app"',
    creationDate: Date.UTC(2026, 0, 1),
    lastUsed: 0,
    counter: 0,
    data: '{"secret":"sealed"}',
    ...overrides,
  };
}
