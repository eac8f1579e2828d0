import type { DatabaseSync } from 'node:sqlite';
import type { LoginSession, LoginSessionStore } from '@watchword/protocol';
import { toResourceOwner } from '../grant-columns.ts';
import type { GroupCommit } from '../group-commit.ts';
import type { LoginSessionTable } from '../schema.ts';
import { idFromBytes, idToBytes } from '../token-id.ts';
import { insertLoginSession } from './authorization-operations.ts';
import { snapshotLookup } from './snapshot-lookup.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

export function sqliteLoginSessions(
  reader: DatabaseSync,
  writes: GroupCommit<WriteOperation, WriteResult>,
): LoginSessionStore {
  const byId = reader.prepare('select * from login_session where id = ?');

  return {
    find: snapshotLookup(reader, (id) => {
      const row = byId.get(idToBytes(id)) as LoginSessionTable | undefined;
      return row && toLoginSession(row);
    }),

    async insert(session) {
      await writes.add(insertLoginSession(session));
    },

    async touch(id, now) {
      await writes.add(['touchLoginSession', id, now]);
    },

    async delete(id) {
      return (await writes.add(['deleteLoginSession', id])) > 0;
    },
  };
}

function toLoginSession(row: LoginSessionTable): LoginSession {
  return {
    id: idFromBytes(row.id),
    verifierHash: row.verifier_hash,
    authenticator: row.authenticator,
    owner: toResourceOwner(row.authority, row.principal),
    authenticatedAt: row.authenticated_at,
    lastUsed: row.last_used,
    expires: row.expires,
  };
}
