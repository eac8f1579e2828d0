import { type AdminClient, readAll } from '@watchword/admin-client';
import type { LoginSessionTools } from '../administration.ts';
import { listed, personOf, type RecordFinder } from './find-records.ts';

export function remoteLoginSessions({ loginSessions }: AdminClient, find: RecordFinder): LoginSessionTools {
  return {
    async list({ person, client, since }, limit) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      const filter = { ...personOf(person), clientId, since };
      return listed(await readAll((page) => loginSessions.list({ ...page, ...filter }), limit));
    },
    end: (id) => loginSessions.end(id),
  };
}
