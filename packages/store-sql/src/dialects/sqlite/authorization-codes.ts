import type { DatabaseSync } from 'node:sqlite';
import type { AuthorizationCodeStore, FoundAuthorizationCode } from '@watchword/protocol';
import type { GroupCommit } from '../../group-commit.ts';
import { parseScopes } from '../../scope-column.ts';
import { idFromBytes, idToBytes } from '../../token-id.ts';
import { insertGrantWithCode, redeemCode } from './authorization-operations.ts';
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
  authority: string | null,
  principalName: string | null,
];

export function sqliteAuthorizationCodes(
  reader: DatabaseSync,
  read: SnapshotRead,
  writes: GroupCommit<WriteOperation, WriteResult>,
): AuthorizationCodeStore {
  const byId = reader.prepare(
    `select c.verifier_hash, c.grant_id, c.client_record_id, c.redirect_uri, c.code_challenge, c.scopes,
         c.expires, c.creation_date, c.redeemed_at, g.identity_provider, g.principal_name
       from authorization_code as c left join authorization_grant as g on g.id = c.grant_id
       where c.id = ?`,
  );
  byId.setReturnArrays(true);

  return {
    find: (id) =>
      read(() => {
        const row = byId.get(idToBytes(id)) as AuthorizationCodeRow | undefined;
        return row && toFound(id, row);
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

function toFound(id: string, row: AuthorizationCodeRow): FoundAuthorizationCode {
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
    authority,
    name,
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
    owner: authority === null || name === null ? undefined : { authority, name },
  };
}
