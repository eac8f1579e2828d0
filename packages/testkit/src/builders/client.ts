import { type Client, type ClientRegistration, clientDefaults, type NewClient } from '@watchword/protocol';
import { machineSecret } from './machine-secret.ts';

/** A registration that breaks no rule: a confidential client with client credentials. */
export function clientRegistration(overrides: Partial<ClientRegistration> = {}): ClientRegistration {
  return {
    ...clientDefaults,
    clientName: 'Test Client',
    contactName: 'Tess Ter',
    scopes: ['read', 'write'],
    allowedClientCredentials: true,
    // As a request that does not name the field.
    confidential: overrides.allowedImplicitGrant !== true,
    ...overrides,
  };
}

/** The input of a store for a new client. */
export function newClient(overrides: Partial<NewClient> = {}): NewClient {
  return {
    ...clientRegistration(overrides),
    trusted: false,
    keepsUserData: false,
    resourceServerId: 1,
    secret: machineSecret('client-secret'),
    tokensValidFrom: 0,
    ...overrides,
  };
}

/** A confidential client whose secret is `client-secret`. */
export function buildClient(overrides: Partial<Client> = {}): Client {
  return {
    id: 1,
    clientId: 'test-client',
    revision: 1,
    formerResourceServers: [],
    managedBy: '',
    ...newClient(),
    ...overrides,
  };
}

/** A client of the implicit grant, which has no secret. */
export function buildPublicClient(overrides: Partial<Client> = {}): Client {
  return buildClient({
    id: 2,
    clientId: 'public-client',
    secret: undefined,
    confidential: false,
    allowedClientCredentials: false,
    allowedImplicitGrant: true,
    redirectUris: ['https://app.example/cb'],
    ...overrides,
  });
}
