import { formatScope, type Grant } from '@watchword/protocol';
import type { Named } from '../hot/columns.ts';
import type { grantColumns } from '../hot/tables.ts';
import {
  authenticationText,
  type OwnerRow,
  ownerRow,
  toAuthentication,
  toResourceOwner,
} from '../logins/resource-owner-row.ts';
import { parseScopes } from '../queries/scope-column.ts';

/** @param expires of the code or token that is stored with the new grant; 0 = never */
export function newGrantRow(grant: Grant, expires: number): Named<typeof grantColumns> {
  const { id, clientRecordId, owner, authentication, scopes, claims, creationDate } = grant;
  return {
    id,
    client_record_id: clientRecordId,
    ...ownerRow(owner),
    authentication: authenticationText(authentication, owner),
    scopes: formatScope(scopes),
    claims: claims === undefined ? null : JSON.stringify(claims),
    creation_date: creationDate,
    last_used: creationDate,
    expires,
  };
}

/** The columns of a grant that answers need. */
export interface GrantRow extends Omit<OwnerRow, 'principal_name'> {
  readonly client_record_id: number;
  /** JSON. */
  readonly authentication: string;
  readonly scopes: string;
  /** JSON. */
  readonly claims: string | null;
  readonly creation_date: number;
}

export function toGrant(id: string, row: GrantRow): Grant {
  return {
    id,
    clientRecordId: row.client_record_id,
    owner: toResourceOwner(row),
    authentication: toAuthentication(row.authentication, { identityProvider: row.identity_provider }),
    scopes: parseScopes(row.scopes),
    ...(row.claims !== null && { claims: JSON.parse(row.claims) }),
    creationDate: row.creation_date,
  };
}

/** The grant of a token, with names that do not conflict with the columns of the token. */
export const joinedGrantColumns = {
  granted_to: 'number?',
  identity_provider: 'text?',
  principal: 'text?',
  subject: 'text?',
  authentication: 'text?',
  granted_scopes: 'text?',
  requested_claims: 'text?',
  granted_at: 'number?',
} as const;

/** Where the grant of a join is called `g`. */
export const joinedGrantExpressions = {
  granted_to: 'g.client_record_id',
  identity_provider: 'g.identity_provider',
  principal: 'g.principal',
  subject: 'g.subject',
  authentication: 'g.authentication',
  granted_scopes: 'g.scopes',
  requested_claims: 'g.claims',
  granted_at: 'g.creation_date',
} as const;

export type JoinedGrantRow = Named<typeof joinedGrantColumns>;

/** `undefined` if the join found no grant. */
export function toJoinedGrant(id: string | null, row: JoinedGrantRow): Grant | undefined {
  if (id === null || row.granted_to === null) return undefined;
  return toGrant(id, {
    client_record_id: row.granted_to,
    identity_provider: row.identity_provider ?? '',
    principal: row.principal ?? '',
    subject: row.subject ?? '',
    authentication: row.authentication ?? '',
    scopes: row.granted_scopes ?? '',
    claims: row.requested_claims,
    creation_date: row.granted_at ?? 0,
  });
}
