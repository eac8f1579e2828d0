import type { GrantScanPosition } from '../ports/grant-list-store.ts';
import type { Caller } from './caller.ts';
import type {
  GrantAdministration,
  GrantAdministrationDependencies,
  ListedGrant,
} from './grant-administration.ts';
import { type GrantFilter, grantSources } from './grant-sources.ts';
import { listedGrant } from './listed-grant.ts';
import { matcher, readPage } from './page.ts';
import { readSources } from './sources.ts';

/** Reads the grants that a caller can see. */
export function grantList(deps: GrantAdministrationDependencies): Pick<GrantAdministration, 'list'> & {
  find(caller: Caller, id: string): Promise<ListedGrant | undefined>;
} {
  const { registered, grantList, clock } = deps;
  return {
    async list(caller, filter, page) {
      const sources = await grantSources(caller, filter, deps);
      const isWanted = selector(filter);
      return readPage(page, {
        fetch: (after, limit) => readSources(sources, after, limit),
        positionOf: ({ source, row: { type, id, clientRecordId, identityProvider } }) => {
          const before: GrantScanPosition = { type, id, clientRecordId, identityProvider };
          return { source, before };
        },
        async pick({ row }) {
          const grant = await listedGrant(row, caller, registered);
          return grant !== undefined && isWanted(grant) ? grant : undefined;
        },
      });
    },

    async find(caller, id) {
      for (const entry of await grantList.find(id, clock.now())) {
        const grant = await listedGrant(entry, caller, registered);
        if (grant !== undefined) return grant;
      }
      return undefined;
    },
  };
}

/** What no index decides. */
function selector({
  q,
  subject,
  resourceOwnerId,
  clientId,
  resourceServerId,
}: GrantFilter): (grant: ListedGrant) => boolean {
  const matches = matcher(q);
  return ({ owner, client, resourceServer }) =>
    (subject === undefined || subject === owner.subject) &&
    (resourceOwnerId === undefined || resourceOwnerId === owner.name) &&
    (clientId === undefined || clientId === client.clientId) &&
    (resourceServerId === undefined || resourceServerId === resourceServer.id) &&
    matches(owner.name, client.clientName, client.clientId);
}
