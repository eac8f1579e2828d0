import type { GrantedAccessToken } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { toGrant } from './grant-columns.ts';
import type { AccessTokenTable, Schema } from './schema.ts';
import { parseScopes } from './scope-column.ts';
import { idFromBytes } from './token-id.ts';

/** The grant of a token; all of it null when there is no active grant. */
export const grantColumns = [
  'authorization_grant.client_record_id as granted_to',
  'authorization_grant.identity_provider',
  'authorization_grant.principal',
  'authorization_grant.subject',
  'authorization_grant.authentication',
  'authorization_grant.scopes as granted_scopes',
  'authorization_grant.creation_date as granted_at',
] as const;

export interface TokenRow extends AccessTokenTable {
  readonly granted_to: number | null;
  readonly identity_provider: string | null;
  readonly principal: string | null;
  readonly subject: string | null;
  readonly authentication: string | null;
  readonly granted_scopes: string | null;
  readonly granted_at: number | null;
}

/** Tokens, each with its grant if that is active. */
export function selectTokens(db: Kysely<Schema>) {
  return db
    .selectFrom('access_token as token')
    .leftJoin('authorization_grant', (join) =>
      join
        .onRef('authorization_grant.id', '=', 'token.grant_id')
        .on('authorization_grant.revoked_at', 'is', null),
    )
    .selectAll('token')
    .select(grantColumns);
}

export function toGrantedToken(row: TokenRow): GrantedAccessToken {
  const { grant_id, granted_to, identity_provider, principal, subject, authentication } = row;
  const { granted_scopes, granted_at } = row;
  return {
    id: idFromBytes(row.id),
    verifierHash: row.verifier_hash,
    clientRecordId: row.client_record_id,
    grantId: grant_id === null ? undefined : idFromBytes(grant_id),
    grant:
      grant_id === null || granted_to === null
        ? undefined
        : toGrant({
            id: grant_id,
            client_record_id: granted_to,
            identity_provider: identity_provider ?? '',
            principal: principal ?? '',
            subject: subject ?? '',
            authentication: authentication ?? '',
            scopes: granted_scopes ?? '',
            creation_date: granted_at ?? 0,
          }),
    scopes: parseScopes(row.scopes),
    expires: row.expires,
    creationDate: row.creation_date,
  };
}
