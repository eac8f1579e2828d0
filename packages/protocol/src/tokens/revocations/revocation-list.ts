import { longestJwtLifetime } from '../../model/records/signing-key.ts';
import type { Registry } from '../../ports/stores/registry.ts';
import { openClientsKey } from '../../rules/built-in-records.ts';
import type { Revocations } from './recent-revocations.ts';

/** A compromised key, and the epoch seconds after which no token can be valid that it signed. */
export interface RevokedKey {
  readonly kid: string;
  readonly until: number;
}

/** Milliseconds for which a resource server can accept a token after its expiry, because clocks differ. */
export const expiryMargin = 300_000;
/** Milliseconds after which a revocation is not in the list any more. */
export const listedTime = longestJwtLifetime * 1000 + expiryMargin;

export type FeedRegistry = Pick<Registry, 'clientById' | 'clientsOfOthers' | 'resourceServerByKey'>;

/** The revocations of the clients that can have tokens for one resource server. */
export function ofResourceServer(
  { grants, tokens, clients }: Revocations,
  resourceServerId: number,
  registry: FeedRegistry,
): Revocations {
  const others = registry.clientsOfOthers(resourceServerId);
  // Any resource server can be open to them, or have been a moment ago.
  const open = registry.resourceServerByKey(openClientsKey)?.id;
  const isOwn = ({ clientRecordId }: { readonly clientRecordId: number }) => {
    const home = registry.clientById(clientRecordId)?.resourceServerId;
    return home !== undefined && (home === resourceServerId || home === open || others.has(clientRecordId));
  };
  return {
    grants: grants.filter((grant) => grant.at?.includes(resourceServerId) ?? isOwn(grant)),
    tokens: tokens.filter((token) => token.at?.includes(resourceServerId) ?? isOwn(token)),
    clients: clients.filter(
      ({ resourceServerId: home, otherResourceServerIds }) =>
        home === resourceServerId || home === open || otherResourceServerIds.includes(resourceServerId),
    ),
  };
}

/** The claim `revoked` of the list (docs/revocation-feed.md). @param now epoch milliseconds */
export function revokedClaim(
  { grants, tokens, clients }: Revocations,
  keys: readonly RevokedKey[],
  now: number,
): Readonly<Record<keyof Revocations | 'keys', ListEntries>> {
  return {
    grants: grantEntries(grants, now),
    clients: clientEntries(clients),
    tokens: tokenEntries(tokens, now),
    keys: keyEntries(keys),
  };
}

/** A member of the claim: times in epoch seconds, by id. */
export type ListEntries = Readonly<Record<string, number>>;

export function grantEntries(grants: Revocations['grants'], now: number): ListEntries {
  return Object.fromEntries(
    grants.filter(isValid(now)).map(({ id, expires, revokedAt }) => {
      const latest = revokedAt + longestJwtLifetime * 1000;
      return [id, seconds((expires === 0 ? latest : Math.min(latest, expires)) + expiryMargin)];
    }),
  );
}

export function tokenEntries(tokens: Revocations['tokens'], now: number): ListEntries {
  return Object.fromEntries(
    tokens.filter(isValid(now)).map(({ id, expires }) => [id, seconds(expires + expiryMargin)]),
  );
}

export function clientEntries(clients: Revocations['clients']): ListEntries {
  const byTime = clients.toSorted((a, b) => a.revokedAt - b.revokedAt);
  return Object.fromEntries(
    byTime.map(({ clientId, revokedAt }) => [clientId, Math.floor(revokedAt / 1000)]),
  );
}

export function keyEntries(keys: readonly RevokedKey[]): ListEntries {
  return Object.fromEntries(keys.map(({ kid, until }) => [kid, until]));
}

function isValid(now: number): (entry: { readonly expires: number }) => boolean {
  return ({ expires }) => expires === 0 || expires + expiryMargin > now;
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
