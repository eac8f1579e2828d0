import type { Caller } from '@watchword/administration';
import type { Client } from '@watchword/protocol';
import { buildAuthenticationEvent } from './authentication.ts';
import { buildClient } from './client.ts';
import { buildResourceOwner } from './resource-owner.ts';

const pages = { id: 90, clientId: 'admin-pages' };

/** A user who administers their own records. */
export function buildCaller(name = 'emma', identityProvider = 'password', isAdministrator = false): Caller {
  const owner = buildResourceOwner(name, identityProvider);
  const principal = { ...owner.principal, adminPrincipal: isAdministrator };
  const authentication = buildAuthenticationEvent({ identityProvider });
  return {
    identity: { identityProvider, name },
    principal,
    isAdministrator,
    rights: [],
    right: undefined,
    login: { owner: { ...owner, principal }, authentication },
    client: buildClient(pages),
    access: undefined,
    source: '192.0.2.9',
  };
}

/** A user who administers all records. */
export function buildAdministrator(name = 'root'): Caller {
  return buildCaller(name, 'password', true);
}

/** A client that acts for itself. */
export function buildClientCaller(client: Client = buildClient()): Caller {
  const name = client.clientId;
  return {
    identity: { identityProvider: `client:${client.id}`, name },
    principal: { name, roles: [], groups: [], adminPrincipal: false, attributes: {} },
    isAdministrator: false,
    rights: [],
    right: undefined,
    login: undefined,
    client,
    access: undefined,
    source: '192.0.2.9',
  };
}
