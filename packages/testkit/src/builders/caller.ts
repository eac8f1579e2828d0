import type { Caller, Client } from '@watchword/protocol';
import { buildClient } from './client.ts';
import { buildResourceOwner } from './resource-owner.ts';

const pages = { id: 90, clientId: 'admin-pages' };

/** Somebody who logged in and administers what they own. */
export function buildCaller(name = 'emma', authority = 'password', isAdministrator = false): Caller {
  const { principal: unprivileged } = buildResourceOwner(name, authority);
  const principal = { ...unprivileged, adminPrincipal: isAdministrator };
  return {
    identity: { authority, name },
    principal,
    isAdministrator,
    owner: { authority, principal },
    client: buildClient(pages),
    access: undefined,
    source: '192.0.2.9',
  };
}

/** Somebody who administers everything. */
export function buildAdministrator(name = 'root'): Caller {
  return buildCaller(name, 'password', true);
}

/** A client that acts for itself. */
export function buildClientCaller(client: Client = buildClient()): Caller {
  const name = client.clientId;
  return {
    identity: { authority: `client:${client.id}`, name },
    principal: { name, roles: [], groups: [], adminPrincipal: false, attributes: {} },
    isAdministrator: false,
    owner: undefined,
    client,
    access: undefined,
    source: '192.0.2.9',
  };
}
