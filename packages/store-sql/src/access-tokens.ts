import type { AccessTokenStore, GrantedAccessToken } from '@watchword/protocol';
import {
  type JoinedGrantRow,
  joinedGrantColumns,
  joinedGrantExpressions,
  toJoinedGrant,
} from './grant-rows.ts';
import type { Named } from './hot/columns.ts';
import { add, type Command, commandOf } from './hot/command.ts';
import type { HotAccess } from './hot/hot-access.ts';
import { lookup } from './hot/lookup.ts';
import { statements } from './hot/statements.ts';
import { parseScopes } from './scope-column.ts';
import { accessTokenRow } from './token-rows.ts';

const foundColumns = {
  verifier_hash: 'bytes',
  client_record_id: 'number',
  scopes: 'text',
  expires: 'number',
  creation_date: 'number',
  grant_id: 'id?',
} as const;

const byId = lookup(
  { id: 'id' },
  { ...foundColumns, ...joinedGrantColumns },
  `access_token as t
    left join authorization_grant as g on g.id = t.grant_id and g.revoked_at is null
    where t.id = :id`,
  joinedGrantExpressions,
);

/** The hot half of the access-token store. */
export function hotAccessTokens(hot: HotAccess): Omit<AccessTokenStore, 'list' | 'scan'> {
  return {
    find: (id) => hot.read(byId, { id }, (row) => toFound(id, row)),

    async insert(token) {
      if (token.grantId !== undefined) throw new Error('a token under a grant is stored with what issued it');
      await hot.write(commandOf(statements.insertAccessToken, accessTokenRow(token)));
    },

    revoke: async (id) => (await hot.write(deleteAccessToken(id))) > 0,
  };
}

function deleteAccessToken(id: string): Command {
  const command = commandOf(statements.revokeGrantOfLastToken, { except_id: id, valid_from: 0 });
  add(command, statements.deleteAccessToken, { id });
  return command;
}

/** `undefined` when the token was issued under a grant that is revoked or gone. */
function toFound(
  id: string,
  row: Named<typeof foundColumns> & JoinedGrantRow,
): GrantedAccessToken | undefined {
  const grant = toJoinedGrant(row.grant_id, row);
  if (row.grant_id !== null && grant === undefined) return undefined;
  return {
    id,
    verifierHash: row.verifier_hash,
    clientRecordId: row.client_record_id,
    grantId: grant?.id,
    grant,
    scopes: parseScopes(row.scopes),
    expires: row.expires,
    creationDate: row.creation_date,
  };
}
