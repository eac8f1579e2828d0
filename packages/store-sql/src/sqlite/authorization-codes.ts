import type { DatabaseSync } from 'node:sqlite';
import type { AuthorizationCodeStore, FoundAuthorizationCode } from '@watchword/protocol';
import type { GroupCommit } from '../group-commit.ts';
import type { AuthorizationCodeTable } from '../schema.ts';
import { parseScopes } from '../scope-column.ts';
import { idFromBytes, idToBytes } from '../token-id.ts';
import { insertGrantWithCode, redeemCode } from './authorization-operations.ts';
import { snapshotLookup } from './snapshot-lookup.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

export function sqliteAuthorizationCodes(
  reader: DatabaseSync,
  writes: GroupCommit<WriteOperation, WriteResult>,
): AuthorizationCodeStore {
  const byId = reader.prepare('select * from authorization_code where id = ?');

  return {
    find: snapshotLookup(reader, (id) => {
      const row = byId.get(idToBytes(id)) as AuthorizationCodeTable | undefined;
      return row && toFound(row);
    }),

    async insert(code, grant) {
      await writes.add(insertGrantWithCode(grant, code));
    },

    async recordFailure(id) {
      await writes.add(['recordCodeFailure', id]);
    },

    async redeem(id, tokens, now) {
      return (await writes.add(redeemCode(id, tokens, now))) > 0;
    },
  };
}

function toFound(row: AuthorizationCodeTable): FoundAuthorizationCode {
  return {
    code: {
      id: idFromBytes(row.id),
      verifierHash: row.verifier_hash,
      grantId: idFromBytes(row.grant_id),
      clientRecordId: row.client_record_id,
      redirectUri: row.redirect_uri ?? undefined,
      codeChallenge: row.code_challenge ?? undefined,
      scopes: parseScopes(row.scopes),
      expires: row.expires,
      creationDate: row.creation_date,
    },
    isRedeemed: row.used_at !== null,
  };
}
