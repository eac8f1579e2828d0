import type { AccessElsewhere, GrantEntry } from '@watchword/protocol';
import type { AuditedChange } from '../changes/audit.ts';
import type { ListedGrant, OtherAccess } from './grant-administration.ts';

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
    otherResourceServers: grant.others.map((other) => ({
      resourceServerId: other.resourceServer.id,
      resourceServerName: other.resourceServer.name,
      scopes: other.scopes,
      consentedScopes: other.consentedScopes,
    })),
    creationDate,
    lastUsed: lastUsed ?? null,
    refreshToken: hasRefreshToken,
    accessTokens,
    ...(owner.principal && { principal: owner.principal }),
  };
}

/** What was granted and what is remembered, by resource server. */
export function otherAccess(
  granted: readonly AccessElsewhere[],
  consented: readonly AccessElsewhere[],
): readonly OtherAccess[] {
  const at = (all: readonly AccessElsewhere[], id: number) =>
    all.find(({ resourceServer }) => resourceServer.id === id)?.scopes ?? [];
  const servers = new Map(
    [...granted, ...consented].map(({ resourceServer }) => [resourceServer.id, resourceServer]),
  );
  return [...servers.values()].map((resourceServer) => ({
    resourceServer,
    scopes: at(granted, resourceServer.id),
    consentedScopes: at(consented, resourceServer.id),
  }));
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
