import { type AccessTokenStore, isStored } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { add, type Command, commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';
import { idToBytes } from '../hot/token-id.ts';
import type { Schema } from '../schema/schema.ts';
import { rowToGrantedToken, selectTokens, toGrantedToken, unlessRevoked } from './access-token-rows.ts';
import { readTokensOfClient } from './client-tokens.ts';
import { joinedGrantColumns, joinedGrantExpressions } from './grant-rows.ts';
import { accessTokenRow } from './token-rows.ts';
import type { TokenSegments } from './token-segments.ts';

const foundColumns = {
  verifier_hash: 'bytes',
  client_record_id: 'number',
  scopes: 'text',
  expires: 'number',
  creation_date: 'number',
  grant_id: 'id?',
  confirmation: 'text?',
  ...joinedGrantColumns,
} as const;

const byId = lookup(
  { id: 'id' },
  foundColumns,
  (byKey) => `access_token as t
    left join authorization_grant as g on ${byKey('g.id = t.grant_id', 'g')} and +g.revoked_at is null
    where ${byKey('t.id = :id', 't')}`,
  { expressions: joinedGrantExpressions },
);

/** The hot half of the access-token store. */
export function hotAccessTokens(
  hot: HotAccess,
  segments: TokenSegments,
): Omit<AccessTokenStore, 'list' | 'scan'> {
  return {
    find: (id) => hot.read(byId, { id }, (row) => unlessRevoked(toGrantedToken(id, row.grant_id, row))),

    insert(token) {
      if (token.grantId !== undefined) {
        return Promise.reject(new Error('a token of a grant is stored together with its grant'));
      }
      return isStored(token)
        ? hot.write(commandOf(statements.insertAccessToken, accessTokenRow(token, segments)))
        : Promise.resolve();
    },

    revoke: async (id) => (await hot.write(deleteAccessToken(id))) > 0,
  };
}

function deleteAccessToken(id: string): Command {
  const command = commandOf(statements.revokeGrantOfLastToken, { except_id: id, valid_from: 0 });
  add(command, statements.deleteAccessToken, { id });
  return command;
}

export function accessTokenList(db: Kysely<Schema>, segments: TokenSegments): AccessTokenStore['list'] {
  return async ({ clientRecordId, after: afterId, limit }) => {
    const after = afterId === undefined ? undefined : idToBytes(afterId);
    const query = selectTokens(db).where((where) =>
      where.or([where('token.grant_id', 'is', null), where('g.id', 'is not', null)]),
    );
    if (clientRecordId !== undefined) {
      const tokens = { clientRecordId, order: 'asc', after } as const;
      return (await readTokensOfClient(db, segments, tokens, limit, query)).map(rowToGrantedToken);
    }
    const following = after === undefined ? query : query.where('token.id', '>', after);
    return (await following.orderBy('token.id').limit(limit).execute()).map(rowToGrantedToken);
  };
}
