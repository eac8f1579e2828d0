import type { PageRequest } from '@watchword/protocol';
import { loginSessionRecord } from '../../admin/records/login-session.ts';
import type { LoginSessionTools } from '../administration.ts';
import { listedPages } from './read-pages.ts';
import type { LocalRecords } from './records.ts';

export function localLoginSessions({ caller, loginSessions }: LocalRecords): LoginSessionTools {
  return {
    list: (person, limit) =>
      listedPages(
        (page: PageRequest<string>) => loginSessions.list(caller, person, page),
        limit,
        loginSessionRecord,
      ),
    end: (id) => loginSessions.end(caller, id),
  };
}
