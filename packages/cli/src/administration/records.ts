import { countGrants } from '@watchword/admin-client';
import { accessTokenRecord } from '@watchword/administration';
import type { Account, Client, GrantedAccessToken } from '@watchword/protocol';
import type { Row } from '../command/output.ts';

/** Records in the JSON names of the administration interface. */

export function accountRow(stored: Account): Row {
  const { username, displayName, passwordHash, resetLink, ...others } = stored;
  const { revision, enabledRevision, needsLongPassword, ...account } = others;
  return { username, displayName, ...account, hasPassword: passwordHash !== undefined };
}

/** @param client `undefined` for a token of a deleted client: the token is invalid and a purge removes it */
export function accessTokenRow(token: GrantedAccessToken, client: Client | undefined): Row {
  if (client !== undefined) return accessTokenRecord({ ...token, format: 'opaque', client });
  const { id, scopes, expires, creationDate, grant } = token;
  const principal = grant?.owner.principal ?? null;
  return {
    id,
    format: 'opaque',
    clientId: null,
    resourceOwnerId: principal?.name ?? null,
    resourceOwnerAuthority: grant?.owner.identityProvider ?? null,
    scopes,
    expires,
    creationDate,
    principal,
  };
}

/** Grants that are counted before they end. */
export const mostCountedGrants = 2000;

/** @param listed what the list shows, at most one more than {@link mostCountedGrants} */
export function countedGrants(listed: Parameters<typeof countGrants>[0]) {
  return { ...countGrants(listed), isLeast: listed.length > mostCountedGrants };
}

/** An error of one client, whose name the user has typed. */
export function errorRow<Found extends { readonly client: unknown }>({ client: _, ...error }: Found): Row {
  return error;
}
