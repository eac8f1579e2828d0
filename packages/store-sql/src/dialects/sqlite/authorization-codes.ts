import type { DatabaseSync } from 'node:sqlite';
import type { AuthorizationCodeStore, FoundAuthorizationCode, Grant } from '@watchword/protocol';
import type { GroupCommit } from '../../group-commit.ts';
import { parseScopes } from '../../scope-column.ts';
import { idFromBytes, idToBytes } from '../../token-id.ts';
import { insertGrantWithCode, redeemCode } from './authorization-operations.ts';
import { grantLookup } from './grant-lookup.ts';
import type { SnapshotRead } from './snapshot-reads.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

type AuthorizationCodeRow = [
  verifierHash: Uint8Array,
  grantId: Uint8Array,
  clientRecordId: number,
  redirectUri: string | null,
  codeChallenge: string | null,
  scopes: string,
  expires: number,
  creationDate: number,
  redeemedAt: number | null,
];

export function sqliteAuthorizationCodes(
  reader: DatabaseSync,
  read: SnapshotRead,
  writes: GroupCommit<WriteOperation, WriteResult>,
): AuthorizationCodeStore {
  const byId = reader.prepare(
    `select verifier_hash, grant_id, client_record_id, redirect_uri, code_challenge, scopes, expires,
         creation_date, redeemed_at
       from authorization_code where id = ?`,
  );
  byId.setReturnArrays(true);
  const grants = grantLookup(reader);

  return {
    find: (id) =>
      read(() => {
        const row = byId.get(idToBytes(id)) as AuthorizationCodeRow | undefined;
        return row && toFound(id, row, grants.find(row[1]));
      }),

    async insert(code, grant, event) {
      return (await writes.add(insertGrantWithCode(grant, code, event))) > 0;
    },

    async recordFailure(id) {
      await writes.add(['recordCodeFailure', id]);
    },

    async redeem(id, tokens, now) {
      return (await writes.add(redeemCode(id, tokens, now))) > 0;
    },
  };
}

function toFound(id: string, row: AuthorizationCodeRow, grant: Grant | undefined): FoundAuthorizationCode {
  const [
    verifierHash,
    grantId,
    clientRecordId,
    redirectUri,
    codeChallenge,
    scopes,
    expires,
    creationDate,
    redeemedAt,
  ] = row;
  return {
    code: {
      id,
      verifierHash,
      grantId: idFromBytes(grantId),
      clientRecordId,
      redirectUri: redirectUri ?? undefined,
      codeChallenge: codeChallenge ?? undefined,
      scopes: parseScopes(scopes),
      expires,
      creationDate,
    },
    isRedeemed: redeemedAt !== null,
    grant,
  };
}
