import type { Grant, ResourceOwner } from '@watchword/protocol';
import { parseScopes } from './scope-column.ts';
import { idFromBytes } from './token-id.ts';

/** The columns of a grant that answers need. */
export interface GrantRow {
  readonly id: Uint8Array;
  readonly client_record_id: number;
  readonly identity_provider: string;
  readonly principal: string;
  readonly subject: string;
  readonly authentication: string;
  readonly scopes: string;
  readonly creation_date: number;
}

export function toGrant(row: GrantRow): Grant {
  return {
    id: idFromBytes(row.id),
    clientRecordId: row.client_record_id,
    owner: toResourceOwner(row.identity_provider, row.subject, row.principal),
    authentication: JSON.parse(row.authentication),
    scopes: parseScopes(row.scopes),
    creationDate: row.creation_date,
  };
}

/** @param principal JSON */
export function toResourceOwner(identityProvider: string, subject: string, principal: string): ResourceOwner {
  return { authority: identityProvider, subject, principal: JSON.parse(principal) };
}
