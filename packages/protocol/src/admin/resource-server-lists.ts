import { resourceServerTexts } from '../rules/searched-texts.ts';
import type { AdministrationDependencies } from './change-records.ts';
import { ownResourceServer } from './ownership.ts';
import { readPage, searchFor } from './page.ts';
import type { ResourceServerAdministration } from './resource-server-administration.ts';

/** Reads resource servers. */
export function resourceServerLists(
  deps: Pick<AdministrationDependencies, 'resourceServers'>,
): Pick<ResourceServerAdministration, 'list' | 'find'> {
  return {
    list(caller, { q }, page) {
      const { mayContain, matches } = searchFor(q);
      return readPage(page, {
        fetch: (after, limit) =>
          deps.resourceServers.list({
            ...(!caller.isAdministrator && { owner: caller.identity }),
            mayContain,
            ...(after !== undefined && { after }),
            limit,
          }),
        positionOf: ({ id }) => id,
        pick: (server) => (matches(...resourceServerTexts(server)) ? server : undefined),
      });
    },

    find: (caller, id) => ownResourceServer(caller, id, deps),
  };
}
