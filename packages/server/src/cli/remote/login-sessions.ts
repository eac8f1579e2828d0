import { type AdminClient, readAll } from '@watchword/admin-client';
import type { LoginSessionTools } from '../administration.ts';
import { listed, personOf } from './find-records.ts';

export function remoteLoginSessions({ loginSessions }: AdminClient): LoginSessionTools {
  return {
    list: async (person, limit) =>
      listed(await readAll((page) => loginSessions.list({ ...page, ...personOf(person) }), limit)),
    end: (id) => loginSessions.end(id),
  };
}
