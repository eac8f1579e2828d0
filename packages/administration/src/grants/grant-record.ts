import type { GrantEntry } from '@watchword/protocol';
import type { AuditedChange } from '../changes/audit.ts';
import type { ListedGrant } from './grant-administration.ts';

/** A grant in the names of the administration interface. */
export function grantRecord(grant: ListedGrant) {
  const { client, resourceServer, owner } = grant;
  const { scopes, consentedScopes, creationDate, lastUsed, hasRefreshToken, accessTokens } = grant;
  return {
    id: grant.id,
    resourceOwnerId: owner.name,
    resourceOwnerAuthority: owner.identityProvider,
    subject: owner.subject,
    clientId: client.clientId,
    clientName: client.clientName,
    resourceServerId: resourceServer.id,
    resourceServerName: resourceServer.name,
    scopes,
    consentedScopes,
    creationDate,
    lastUsed: lastUsed ?? null,
    refreshToken: hasRefreshToken,
    accessTokens,
    ...(owner.principal && { principal: owner.principal }),
  };
}

export type GrantRecord = ReturnType<typeof grantRecord>;

/** Names the grant of a change. It belongs to its resource owner. */
export function ofGrant({ id, client, owner }: ListedGrant) {
  const { identityProvider, name } = owner;
  return {
    recordType: 'grant',
    recordId: id,
    recordName: client.clientId,
    owner: { identityProvider, name },
  } as const satisfies Partial<AuditedChange>;
}

/** A grant in the audit log: the principal is no part of the change. */
export function grantState(grant: ListedGrant) {
  const { principal, ...record } = grantRecord(grant);
  return record;
}

/** The selection of grants to revoke, for the store. */
export function endable({
  id,
  client,
  owner,
}: ListedGrant): Pick<GrantEntry, 'id' | 'clientRecordId' | 'subject'> {
  return { id, clientRecordId: client.id, subject: owner.subject };
}
