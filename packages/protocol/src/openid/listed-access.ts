import type { Client } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import { namesAt } from '../model/targeted-scope.ts';
import type { Registry } from '../ports/stores/registry.ts';
import { targetServers } from '../rules/target-servers.ts';
import { remainingScopesOf } from './scopes.ts';

/** What a client can still do, for those who list it: the names of scopes. */
export interface ListedAccess {
  /** Of its own resource server, and of OpenID Connect. */
  readonly scopes: Scopes;
  readonly others: readonly AccessElsewhere[];
}

export interface AccessElsewhere {
  readonly resourceServer: ResourceServer;
  readonly scopes: Scopes;
}

/**
 * @param granted scopes of each grant, or of each consent
 * @param home resource server of the client
 */
export function listedAccess(
  granted: readonly Scopes[],
  client: Client,
  home: ResourceServer,
  registry: Pick<Registry, 'resourceServerById'>,
): ListedAccess {
  const remaining = granted.map((scopes) => remainingScopesOf(scopes, client, home, registry));
  const names = (id: number | undefined) => [...new Set(remaining.flatMap((scopes) => namesAt(scopes, id)))];
  const targets = remaining.flatMap((scopes) => targetServers(scopes, home, registry));
  const others = new Map(
    targets.flatMap(({ id, resourceServer }) => (id === undefined ? [] : [[id, resourceServer]])),
  );
  return {
    scopes: names(undefined),
    others: [...others].map(([id, resourceServer]) => ({ resourceServer, scopes: names(id) })),
  };
}
