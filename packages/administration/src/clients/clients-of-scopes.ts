import { type Client, type ClientStore, type ResourceServer, remainingScopes } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { type AuditedChange, clientDifference, ofClient } from '../changes/audit.ts';
import { distrustedScopes, noTrust } from './client-trust.ts';

/** How a change of a resource server has changed its clients. */
export interface ChangedClients {
  /** clientIds of the clients that are no longer trusted. */
  readonly resetClients: readonly string[];
  readonly changes: readonly AuditedChange[];
}

/** Removes scopes that a resource server lost from its clients, and ends the trust in clients with a changed scope. */
export async function followScopes(
  caller: Caller,
  before: ResourceServer,
  after: ResourceServer,
  clients: ClientStore,
): Promise<ChangedClients> {
  const lost = before.scopes.filter((scope) => !after.scopes.includes(scope));
  const distrusted = distrustedScopes(caller, before, after);
  const reset = distrusted.length > 0 ? await clients.endTrust(after.id, distrusted) : [];
  const losing = lost.length > 0 ? await clients.loseScopes(after.id, lost) : [];
  const isReset = new Set(reset.map(({ id }) => id));
  // Each in its state before both changes.
  const affected = new Map<number, Client>([...losing, ...reset].map((client) => [client.id, client]));
  return {
    resetClients: reset.map(({ clientId }) => clientId),
    changes: [...affected.values()].map((client) => {
      const left = {
        ...client,
        scopes: remainingScopes(client.scopes, after.scopes),
        ...(isReset.has(client.id) && noTrust),
      };
      return { action: 'update', ...ofClient(client, after), ...clientDifference(client, left) };
    }),
  };
}
