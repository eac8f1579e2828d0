import { type ResourceServerRegistration, resourceServerDefaults } from '@watchword/administration';
import type { NewResourceServer, ResourceServer } from '@watchword/protocol';
import { machineSecret } from './machine-secret.ts';

/** A registration that breaks no rule. */
export function resourceServerRegistration(
  overrides: Partial<ResourceServerRegistration> = {},
): ResourceServerRegistration {
  return {
    ...resourceServerDefaults,
    name: 'Test API',
    scopes: ['read', 'write'],
    contactName: 'Tess Ter',
    ...overrides,
  };
}

/** The input of a store for a new resource server. */
export function newResourceServer(overrides: Partial<NewResourceServer> = {}): NewResourceServer {
  return {
    ...resourceServerRegistration(),
    owner: 'emma',
    ownerAuthority: 'password',
    secret: machineSecret('resource-server-secret'),
    ...overrides,
  };
}

/** A resource server whose credentials are `test-api:resource-server-secret`. */
export function buildResourceServer(overrides: Partial<ResourceServer> = {}): ResourceServer {
  return { id: 1, key: 'test-api', revision: 1, managedBy: '', ...newResourceServer(), ...overrides };
}
