import type { AccessTokenStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { rowToGrantedToken, selectTokens } from './access-token-rows.ts';
import { idToBytes } from './hot/token-id.ts';
import type { Schema } from './schema.ts';

export function accessTokenList(db: Kysely<Schema>): AccessTokenStore['list'] {
  return async ({ clientRecordId, after, limit }) => {
    let query = selectTokens(db)
      .where((where) => where.or([where('token.grant_id', 'is', null), where('g.id', 'is not', null)]))
      .orderBy('token.id')
      .limit(limit);
    if (clientRecordId !== undefined) query = query.where('token.client_record_id', '=', clientRecordId);
    if (after !== undefined) query = query.where('token.id', '>', idToBytes(after));
    return (await query.execute()).map(rowToGrantedToken);
  };
}
