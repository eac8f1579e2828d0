import type { AccessTokenStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { idToBytes } from '../../hot/token-id.ts';
import type { Schema } from '../../schema/schema.ts';
import { rowToGrantedToken, selectTokens } from '../access-token-rows.ts';
import { readTokensOfClient } from '../client-tokens.ts';
import type { TokenSegments } from '../token-segments.ts';

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
