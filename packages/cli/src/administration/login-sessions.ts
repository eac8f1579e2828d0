import {
  type AdminClient,
  type LoginSessionQuery,
  type PageQuery,
  type PersonSelection,
  readAll,
} from '@watchword/admin-client';
import type { Identity } from '@watchword/protocol';
import { listed, personOf, type RecordFinder } from './find-records.ts';

/** Which login sessions are meant; of several members all must fit. */
export interface SelectedSessions
  extends Omit<LoginSessionQuery, 'clientId' | keyof PersonSelection | keyof PageQuery> {
  readonly person: Identity | undefined;
  /** The clientId of a client that was granted access in the session. */
  readonly client: string | undefined;
}

/** Logins in browsers. */
export function loginSessionTools({ loginSessions }: AdminClient, find: RecordFinder) {
  return {
    ...loginSessions,
    /** The newest first. */
    async list({ person, client, ...selected }: SelectedSessions, limit: number) {
      const clientId = client === undefined ? undefined : (await find.client(client)).clientId;
      const filter = { ...personOf(person), clientId, ...selected };
      return listed(await readAll((page) => loginSessions.list({ ...page, ...filter }), limit));
    },
  };
}
