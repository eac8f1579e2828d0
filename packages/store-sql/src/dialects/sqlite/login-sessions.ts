import type { DatabaseSync } from 'node:sqlite';
import type { LoginSession, LoginSessionStore } from '@watchword/protocol';
import { toResourceOwner } from '../../grant-columns.ts';
import type { GroupCommit } from '../../group-commit.ts';
import { idToBytes } from '../../token-id.ts';
import { deleteLoginSession, insertLoginSession } from './authorization-operations.ts';
import type { SnapshotRead } from './snapshot-reads.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

type LoginSessionRow = [
  verifierHash: Uint8Array,
  authenticator: string,
  authority: string,
  principal: string,
  creationDate: number,
  lastUsed: number,
  expires: number,
  subject: string,
  authentication: string,
];

export function sqliteLoginSessions(
  reader: DatabaseSync,
  read: SnapshotRead,
  writes: GroupCommit<WriteOperation, WriteResult>,
): LoginSessionStore {
  const byId = reader.prepare(
    `select verifier_hash, authenticator, identity_provider, principal, creation_date, last_used, expires,
         subject, authentication
       from login_session where id = ?`,
  );
  byId.setReturnArrays(true);
  const one = reader.prepare('select 1 from login_session where id = ?');
  one.setReturnArrays(true);

  return {
    find: (id) =>
      read(() => {
        const row = byId.get(idToBytes(id)) as LoginSessionRow | undefined;
        return row && toLoginSession(id, row);
      }),

    has: (id) => read(() => one.get(idToBytes(id)) !== undefined),

    async insert(session, event) {
      await writes.add(insertLoginSession(session, event));
    },

    async touch(id, now) {
      await writes.add(['touchLoginSession', id, now]);
    },

    async delete(id, event) {
      return (await writes.add(deleteLoginSession(id, event))) > 0;
    },
  };
}

function toLoginSession(id: string, row: LoginSessionRow): LoginSession {
  const [verifierHash, authenticator, authority, principal, creationDate, lastUsed, expires, subject, json] =
    row;
  const owner = toResourceOwner(authority, subject, principal);
  const authentication = JSON.parse(json);
  return { id, verifierHash, authenticator, owner, authentication, creationDate, lastUsed, expires };
}
