import { type AdminClient, readAll } from '@watchword/admin-client';
import type { Identity } from '@watchword/protocol';
import { listed, personOf, type RecordFinder } from './find-records.ts';

/** Which login sessions are meant; of several members all must fit. */
export interface SelectedSessions {
  readonly person: Identity | undefined;
  /** The clientId of a client that was granted access in the session. */
  readonly client: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
}

/** Logins in browsers. */
export function loginSessionTools({ loginSessions }: AdminClient, find: RecordFinder) {
  return {
    /** The newest first. */
    async list({ person, client, since }: SelectedSessions, limit: number) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      const filter = { ...personOf(person), clientId, since };
      return listed(await readAll((page) => loginSessions.list({ ...page, ...filter }), limit));
    },
    end: (id: string) => loginSessions.end(id),
  };
}
