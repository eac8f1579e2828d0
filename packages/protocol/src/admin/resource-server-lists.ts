import type { AdministrationDependencies } from './change-records.ts';
import { ownResourceServer } from './ownership.ts';
import { fold, matcher, readPage } from './page.ts';
import type { ResourceServerAdministration } from './resource-server-administration.ts';

/** Reads resource servers. */
export function resourceServerLists(
  deps: Pick<AdministrationDependencies, 'resourceServers'>,
): Pick<ResourceServerAdministration, 'list' | 'find'> {
  return {
    list(caller, { q }, page) {
      const matches = matcher(q);
      return readPage(page, {
        fetch: (after, limit) =>
          deps.resourceServers.list({
            ...(!caller.isAdministrator && { owner: caller.identity }),
            mayContain: q && fold(q),
            ...(after !== undefined && { after }),
            limit,
          }),
        positionOf: ({ id }) => id,
        pick: (server) => {
          const { name, key, description, contactName, contactEmail, owner } = server;
          return matches(name, key, description, contactName, contactEmail, owner) ? server : undefined;
        },
      });
    },

    find: (caller, id) => ownResourceServer(caller, id, deps),
  };
}
