import { resourceServerTexts } from '@watchword/protocol';
import { ownResourceServer } from '../callers/ownership.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import { readPage, searchFor } from '../lists/page.ts';
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
