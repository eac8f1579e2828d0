import type { AccessElsewhere, EndOfPart, GrantEntry, ResourceServer } from '@watchword/protocol';
import type { AuditedChange } from '../changes/audit.ts';
import type { ListedGrant, OtherAccess } from './grant-administration.ts';
import type { GrantFilter } from './grant-sources.ts';

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
    part: grant.part !== undefined,
    ...(owner.principal && { principal: owner.principal }),
  };
}

type OwnAccess = Pick<ListedGrant, 'resourceServer' | 'scopes' | 'consentedScopes' | 'others' | 'part'>;

/**
 * What is left of a grant for those to whom only some of its resource servers belong; `undefined` if none does. Of anything else of it they
 * learn nothing.
 */
export function partOf(
  others: readonly OtherAccess[],
  isOwn: (resourceServer: ResourceServer) => boolean,
): OwnAccess | undefined {
  const own = others.filter(({ resourceServer }) => isOwn(resourceServer));
  const [first, ...rest] = own;
  return first && { ...first, others: rest, part: own.map(({ resourceServer }) => resourceServer.id) };
}

/** The resource servers at which a grant ends, when only a part of it does. */
export function endedPart(
  { part, resourceServer }: Pick<ListedGrant, 'part' | 'resourceServer'>,
  { resourceServerId = resourceServer.id }: Pick<GrantFilter, 'resourceServerId'> = {},
): readonly number[] | undefined {
  return part ?? (resourceServerId === resourceServer.id ? undefined : [resourceServerId]);
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

/** The same for some of its resource servers. */
export function endablePart(
  { id, client, owner }: ListedGrant,
  resourceServerIds: readonly number[],
): EndOfPart {
  return { subjects: [owner.subject], clientRecordId: client.id, resourceServerIds, grantId: id };
}
