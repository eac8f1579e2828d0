import type { DatabaseSync } from 'node:sqlite';
import type { AccessTokenStore, Grant, GrantedAccessToken } from '@watchword/protocol';
import { coalescedLookup } from '../../coalesced-lookup.ts';
import type { GroupCommit } from '../../group-commit.ts';
import { parseScopes } from '../../scope-column.ts';
import { idToBytes } from '../../token-id.ts';
import { grantLookup } from './grant-lookup.ts';
import { inSnapshot } from './snapshot.ts';
import { insertAccessToken, type WriteOperation, type WriteResult } from './write-operations.ts';

type AccessTokenRow = [
  verifierHash: Uint8Array,
  clientRecordId: number,
  scopes: string,
  expires: number,
  creationDate: number,
  grantId: Uint8Array | null,
];

/**
 * The hot half of the access-token store: writes go through the group commit, lookups read a snapshot on
 * this thread, which no writer ever blocks in WAL mode.
 */
export function sqliteAccessTokens(
  reader: DatabaseSync,
  writes: GroupCommit<WriteOperation, WriteResult>,
): Omit<AccessTokenStore, 'list' | 'scan'> {
  const byId = reader.prepare(
    `select verifier_hash, client_record_id, scopes, expires, creation_date, grant_id
       from access_token where id = ?`,
  );
  byId.setReturnArrays(true);
  const grants = grantLookup(reader);
  const granted = (id: string, row: AccessTokenRow, grantId: Uint8Array) => {
    const grant = grants.findActive(grantId);
    return grant && fromRow(id, row, grant);
  };

  const find = coalescedLookup((ids: readonly string[]) =>
    inSnapshot(reader, () =>
      ids.map((id) => {
        const row = byId.get(idToBytes(id)) as AccessTokenRow | undefined;
        if (row === undefined) return undefined;
        const grantId = row[5];
        return grantId === null ? fromRow(id, row, undefined) : granted(id, row, grantId);
      }),
    ),
  );

  return {
    find,

    async insert(token) {
      await writes.add(insertAccessToken(token));
    },

    async revoke(id) {
      return (await writes.add(['revokeAccessToken', id])) > 0;
    },
  };
}

function fromRow(id: string, row: AccessTokenRow, grant: Grant | undefined): GrantedAccessToken {
  const [verifierHash, clientRecordId, scopes, expires, creationDate] = row;
  return {
    id,
    verifierHash,
    clientRecordId,
    grantId: grant?.id,
    grant,
    scopes: parseScopes(scopes),
    expires,
    creationDate,
  };
}
