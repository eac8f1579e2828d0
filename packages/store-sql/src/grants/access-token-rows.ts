import type { GrantedAccessToken } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { idFromBytes } from '../hot/token-id.ts';
import { together } from '../queries/placing.ts';
import { parseScopes } from '../queries/scope-column.ts';
import type { AccessTokenTable, Schema } from '../schema/schema.ts';
import { type JoinedGrantRow, toJoinedGrant } from './grant-rows.ts';

/** The grant of a token. All columns are null if there is no grant, or if it is revoked. */
export const grantSelection = [
  'g.client_record_id as granted_to',
  'g.identity_provider',
  'g.principal',
  'g.subject',
  'g.authentication',
  'g.scopes as granted_scopes',
  'g.claims as requested_claims',
  'g.creation_date as granted_at',
] as const;

/** Tokens, each with its grant if that is active. */
export function selectTokens(db: Kysely<Schema>) {
  return db
    .selectFrom('access_token as token')
    .leftJoin('authorization_grant as g', (join) =>
      join.onRef('g.id', '=', 'token.grant_id').on(together('g', 'token')).on('g.revoked_at', 'is', null),
    )
    .selectAll('token')
    .select(grantSelection);
}

/** The row of a token in the form in which Kysely returns it. */
export function rowToGrantedToken(row: AccessTokenTable & JoinedGrantRow): GrantedAccessToken {
  const grantId = row.grant_id === null ? null : idFromBytes(row.grant_id);
  return toGrantedToken(idFromBytes(row.id), grantId, row);
}

/** @param row the token, and its grant if that is active */
export function toGrantedToken(
  id: string,
  grantId: string | null,
  row: Omit<AccessTokenTable, 'id' | 'grant_id' | 'segment'> & JoinedGrantRow,
): GrantedAccessToken {
  const token = {
    id,
    verifierHash: row.verifier_hash,
    clientRecordId: row.client_record_id,
    grantId: grantId ?? undefined,
    grant: toJoinedGrant(grantId, row),
    scopes: parseScopes(row.scopes),
    expires: row.expires,
    creationDate: row.creation_date,
  };
  const { confirmation } = row;
  return confirmation === null ? token : { ...token, confirmation: JSON.parse(confirmation) };
}

/** `undefined` if the grant of the token is revoked or removed. */
export function unlessRevoked(token: GrantedAccessToken): GrantedAccessToken | undefined {
  return token.grantId !== undefined && token.grant === undefined ? undefined : token;
}
