import { type Client, isRevokedWithClient } from '../model/client.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import type { GrantUse } from '../ports/grant-store.ts';
import type { Registry } from '../ports/registry.ts';
import { remainingScopes } from '../rules/scope.ts';

/** A client with one or more grants of an owner. */
export interface ConnectedApplication {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  /** The scopes of all its grants. */
  readonly scopes: Scopes;
  /** Epoch milliseconds of the first of the grants. */
  readonly since: number;
  /** Epoch milliseconds: when it last got a token. */
  readonly lastUsed: number;
}

/** Puts the grants of one owner together by client, that which was used last first. */
export function connectedApplications(uses: readonly GrantUse[], registry: Registry): ConnectedApplication[] {
  return [...Map.groupBy(uses, ({ grant }) => grant.clientRecordId)]
    .flatMap(([clientRecordId, ofClient]) => {
      const client = registry.clientById(clientRecordId);
      const resourceServer = client && registry.resourceServerById(client.resourceServerId);
      if (client === undefined || resourceServer === undefined) return [];
      const valid = ofClient.filter(({ grant }) => !isRevokedWithClient(client, grant));
      if (valid.length === 0) return [];
      const granted = [...new Set(valid.flatMap(({ grant }) => grant.scopes))];
      return {
        client,
        resourceServer,
        scopes: remainingScopes(granted, client.scopes),
        since: Math.min(...valid.map(({ grant }) => grant.creationDate)),
        lastUsed: Math.max(...valid.map(({ lastUsed }) => lastUsed)),
      };
    })
    .toSorted((a, b) => b.lastUsed - a.lastUsed);
}
