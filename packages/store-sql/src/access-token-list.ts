import type { AccessTokenStore, Grant } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { type GrantRow, toGrant } from './grant-columns.ts';
import type { Schema } from './schema.ts';
import { parseScopes } from './scope-column.ts';
import { idFromBytes, idToBytes } from './token-id.ts';

export function accessTokenList(db: Kysely<Schema>): AccessTokenStore['list'] {
  return async ({ clientRecordId, after, limit }) => {
    let query = db
      .selectFrom('access_token as token')
      .leftJoin('grant', (join) =>
        join.onRef('grant.id', '=', 'token.grant_id').on('grant.revoked_at', 'is', null),
      )
      .selectAll('token')
      .select([
        'grant.client_record_id as granted_to',
        'grant.authority',
        'grant.principal',
        'grant.scopes as granted_scopes',
        'grant.creation_date as granted_at',
      ])
      .where((where) => where.or([where('token.grant_id', 'is', null), where('grant.id', 'is not', null)]))
      .orderBy('token.id')
      .limit(limit);
    if (clientRecordId !== undefined) query = query.where('token.client_record_id', '=', clientRecordId);
    if (after !== undefined) query = query.where('token.id', '>', idToBytes(after));
    return (await query.execute()).map((row) => {
      const grant = grantOf(row);
      return {
        id: idFromBytes(row.id),
        verifierHash: row.verifier_hash,
        clientRecordId: row.client_record_id,
        grantId: grant?.id,
        grant,
        scopes: parseScopes(row.scopes),
        expires: row.expires,
        creationDate: row.creation_date,
      };
    });
  };
}

interface JoinedGrant {
  readonly grant_id: Uint8Array | null;
  readonly granted_to: number | null;
  readonly authority: string | null;
  readonly principal: string | null;
  readonly granted_scopes: string | null;
  readonly granted_at: number | null;
}

function grantOf(row: JoinedGrant): Grant | undefined {
  if (row.grant_id === null) return undefined;
  // The join has left out tokens whose grant is not there.
  return toGrant({
    id: row.grant_id,
    client_record_id: row.granted_to,
    authority: row.authority,
    principal: row.principal,
    scopes: row.granted_scopes,
    creation_date: row.granted_at,
  } as GrantRow);
}
