import type { DatabaseSync } from 'node:sqlite';
import type { ConsentKey, ConsentStore } from '@watchword/protocol';
import type { GroupCommit } from '../../group-commit.ts';
import { parseScopes } from '../../scope-column.ts';
import { saveConsent } from './authorization-operations.ts';
import type { SnapshotRead } from './snapshot-reads.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

type ConsentRow = [scopes: string];

export function sqliteConsents(
  reader: DatabaseSync,
  read: SnapshotRead,
  writes: GroupCommit<WriteOperation, WriteResult>,
): ConsentStore {
  const byKey = reader.prepare(
    `select scopes from consent
       where client_record_id = ? and identity_provider = ? and principal_name = ? and redirect_uri = ?
         and subject = ?`,
  );
  byKey.setReturnArrays(true);

  return {
    find: ({ owner, subject, clientRecordId, redirectUri }: ConsentKey) =>
      read(() => {
        const row = byKey.get(clientRecordId, owner.authority, owner.name, redirectUri, subject) as
          | ConsentRow
          | undefined;
        return row === undefined ? [] : parseScopes(row[0]);
      }),

    async save(key, scopes, now, grantId) {
      await writes.add(saveConsent(key, scopes, now, grantId));
    },
  };
}
