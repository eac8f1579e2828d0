import type { AccessTokenStore } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import { parseScopes } from './scope-column.ts';
import { idFromBytes, idToBytes } from './token-id.ts';

export function accessTokenList(db: Kysely<Schema>): AccessTokenStore['list'] {
  return async ({ clientRecordId, after, limit }) => {
    let query = db.selectFrom('access_token').selectAll().orderBy('id').limit(limit);
    if (clientRecordId !== undefined) query = query.where('client_record_id', '=', clientRecordId);
    if (after !== undefined) query = query.where('id', '>', idToBytes(after));
    return (await query.execute()).map((row) => ({
      id: idFromBytes(row.id),
      verifierHash: row.verifier_hash,
      clientRecordId: row.client_record_id,
      grantId: undefined,
      grant: undefined,
      scopes: parseScopes(row.scopes),
      expires: row.expires,
      creationDate: row.creation_date,
    }));
  };
}
