import type { AuditedChange } from '../changes/audit.ts';
import { accessTokenRecord, type IssuedToken, tokenOwner } from '../records.ts';

/** Names the token of a change. */
export function ofToken(token: IssuedToken) {
  return {
    recordType: 'accessToken',
    recordId: token.id,
    recordName: token.client.clientId,
    owner: tokenOwner(token),
  } as const satisfies Partial<AuditedChange>;
}

/** A token in the audit log: the principal is no part of the change. */
export function tokenState(token: IssuedToken) {
  const { principal, ...record } = accessTokenRecord(token);
  return { ...record, id: token.id };
}
