import { fold, resourceServerTexts } from '../rules/searched-texts.ts';
import type { AdministrationDependencies } from './change-records.ts';
import { ownResourceServer } from './ownership.ts';
import { matcher, readPage } from './page.ts';
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
        pick: (server) => (matches(...resourceServerTexts(server)) ? server : undefined),
      });
    },

    find: (caller, id) => ownResourceServer(caller, id, deps),
  };
}
