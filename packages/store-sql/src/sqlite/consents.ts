import type { DatabaseSync } from 'node:sqlite';
import type { ConsentKey, ConsentStore } from '@watchword/protocol';
import type { GroupCommit } from '../group-commit.ts';
import { parseScopes } from '../scope-column.ts';
import { saveConsent } from './authorization-operations.ts';
import { snapshotLookup } from './snapshot-lookup.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

export function sqliteConsents(
  reader: DatabaseSync,
  writes: GroupCommit<WriteOperation, WriteResult>,
): ConsentStore {
  const byKey = reader.prepare(
    'select scopes from consent where client_record_id = ? and authority = ? and principal_name = ? and redirect_uri = ?',
  );

  return {
    find: snapshotLookup(reader, ({ owner, clientRecordId, redirectUri }: ConsentKey) => {
      const row = byKey.get(clientRecordId, owner.authority, owner.name, redirectUri);
      return row === undefined ? [] : parseScopes(String(row.scopes));
    }),

    async save(key, scopes, now) {
      await writes.add(saveConsent(key, scopes, now));
    },
  };
}
