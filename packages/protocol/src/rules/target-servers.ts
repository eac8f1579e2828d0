import type { ResourceServer } from '../model/records/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import { targetsOf } from '../model/targeted-scope.ts';
import type { Registry } from '../ports/stores/registry.ts';

/** A resource server that scopes are for. */
export interface TargetServer {
  readonly resourceServer: ResourceServer;
  /** As of the home: in an array of scopes it has no id. */
  readonly id: number | undefined;
  /** Its URIs that the client named. */
  readonly resources: readonly string[];
}

/** The resource server of a client, without a URI that the client named. */
export function homeTarget(resourceServer: ResourceServer): TargetServer {
  return { resourceServer, id: undefined, resources: [] };
}

/** The resource servers that scopes are for, without those that were deleted. @param home resource server of the client */
export function targetServers(
  scopes: Scopes,
  home: ResourceServer,
  registry: Pick<Registry, 'resourceServerById'>,
): readonly TargetServer[] {
  const targets = targetsOf(scopes);
  if (targets === undefined) return [homeTarget(home)];
  return targets.flatMap((target) => {
    const resourceServer = target.id === undefined ? home : registry.resourceServerById(target.id);
    return resourceServer === undefined ? [] : { ...target, resourceServer };
  });
}
