import type { PageRequest } from '@watchword/protocol';
import { loginSessionRecord } from '../../admin/records/login-session.ts';
import type { LoginSessionTools } from '../administration.ts';
import { listedPages } from './read-pages.ts';
import { existingClient, type LocalRecords } from './records.ts';

export function localLoginSessions({ store, caller, loginSessions }: LocalRecords): LoginSessionTools {
  return {
    async list({ person: owner, client, since }, limit) {
      const clientId = client === undefined ? undefined : (await existingClient(store, client)).clientId;
      const list = (page: PageRequest<string>) =>
        loginSessions.list(caller, { owner, clientId, since }, page);
      return listedPages(list, limit, loginSessionRecord);
    },
    end: (id) => loginSessions.end(caller, id),
  };
}
