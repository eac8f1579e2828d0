import { clientPrincipal, namesOf, type Principal } from '@watchword/protocol';
import { type IssuedToken, tokenOwner } from '../callers/active-token.ts';
import type { AuditedChange } from '../changes/audit.ts';

/** In the names of the administration interface, never with the text of the token or a digest of it. */
export function accessTokenRecord(token: IssuedToken) {
  const { id, address = id, format, client, grant, scopes, expires, creationDate, confirmation } = token;
  const { identityProvider, name } = tokenOwner(token);
  const principal: Principal = grant?.owner.principal ?? clientPrincipal(client.clientId);
  return {
    id: address,
    format,
    clientId: client.clientId,
    resourceOwnerId: name,
    resourceOwnerAuthority: identityProvider,
    scopes: namesOf(scopes),
    expires,
    creationDate,
    part: token.part !== undefined,
    ...(confirmation !== undefined && { cnf: confirmation }),
    principal,
  };
}

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
