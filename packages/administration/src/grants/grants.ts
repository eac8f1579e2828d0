import { OAuthError } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { changeRecords } from '../changes/change-records.ts';
import { grantEnd } from './end-grants.ts';
import type {
  GrantAdministration,
  GrantAdministrationDependencies,
  ListedGrant,
} from './grant-administration.ts';
import { grantList } from './grant-list.ts';
import { endable, grantState, ofGrant } from './grant-record.ts';

export function grantAdministration(deps: GrantAdministrationDependencies): GrantAdministration {
  const list = grantList(deps);
  const find = async (caller: Caller, id: string): Promise<ListedGrant> => {
    const found = await list.find(caller, id);
    if (found !== undefined) return found;
    throw new OAuthError('not_found', { description: 'There is no such grant.' });
  };
  return {
    list: list.list,
    find,
    end: async (caller, id) => {
      const grant = await find(caller, id);
      return changeRecords(caller, deps, async ({ grants }) => ({
        value: await grants.end([endable(grant)], deps.clock.now()),
        changes: [{ action: 'delete', ...ofGrant(grant), before: grantState(grant) }],
      }));
    },
    endAll: grantEnd(list.list, deps),
  };
}
