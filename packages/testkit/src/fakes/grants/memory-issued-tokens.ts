import {
  type AccessTokenScan,
  type AccessTokenStore,
  type Grant,
  type GrantedAccessToken,
  type Identity,
  type IssuedTokenStore,
  identityOf,
  isSameIdentity,
  isStored,
  type LoginSession,
  type StoredAccessToken,
  targetsOf,
} from '@watchword/protocol';
import type { MemorySessionClients } from '../logins/memory-session-clients.ts';
import { canContain } from '../records/memory-records.ts';
import type { MemoryGrants } from './memory-grants.ts';
import type { MemoryRevocations } from './memory-revocations.ts';

export function memoryIssuedTokens(
  tokens: Map<string, StoredAccessToken>,
  sessions: Map<string, LoginSession>,
  memory: MemoryGrants,
  revocations: Pick<MemoryRevocations, 'revokeToken'>,
  clients: Pick<MemorySessionClients, 'end'> & { endTrust(owner: Identity): void },
): IssuedTokenStore {
  return {
    find: async (id) => memory.withGrant(tokens.get(id)),
    async insert(token, grant, refreshToken) {
      if (token.grantId !== grant?.id)
        throw new Error('a token must belong to the grant with which it is stored');
      if (grant !== undefined) await memory.grants.insert(grant, token);
      if (refreshToken !== undefined) memory.addRefreshToken(refreshToken);
      if (isStored(token)) tokens.set(token.id, token);
    },
    async update(id, change) {
      const token = tokens.get(id);
      if (token === undefined) return false;
      tokens.set(id, { ...token, ...change });
      memory.outlive(token.grantId, change.expires);
      return true;
    },
    async revoke(id) {
      const token = tokens.get(id);
      tokens.delete(id);
      memory.tokenIsGone(token);
      return token !== undefined;
    },
    revokeJwt: (token) => revocations.revokeToken(token),
    async revokeGrants({ name, identityProvider }, now, limit) {
      const grants = memory.ofOwner(name, identityProvider).slice(0, limit);
      for (const { id } of grants) await memory.grants.revoke(id, now);
      return grants.length;
    },
    async endSession(id, now) {
      if (!sessions.delete(id)) return false;
      clients.end(id, now);
      return true;
    },
    async endSessions(owner, now) {
      const ended = [...sessions.values()].filter((session) =>
        isSameIdentity(identityOf(session.owner), owner),
      );
      for (const { id } of ended) {
        sessions.delete(id);
        clients.end(id, now);
      }
      clients.endTrust(owner);
      return ended.length;
    },
  };
}

function isOfClient(
  { clientRecordId, grantId, scopes }: StoredAccessToken,
  { clientRecordId: wanted, acting }: Extract<AccessTokenScan, { readonly of: 'client' }>,
): boolean {
  if (clientRecordId !== wanted || acting === undefined) return clientRecordId === wanted;
  const { at } = acting;
  const isForOne =
    at === undefined || targetsOf(scopes)?.some(({ id }) => id !== undefined && at.includes(id));
  return grantId === undefined && isForOne === true;
}

function memoryTokenScan(
  tokens: ReadonlyMap<string, StoredAccessToken>,
  memory: MemoryGrants,
): AccessTokenStore['scan'] {
  const newestFirst = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] =>
    rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const ofOwner = ({
    name,
    identityProvider,
  }: Extract<AccessTokenScan, { readonly of: 'owner' }>): GrantedAccessToken[] => {
    const byIdentityProvider = Map.groupBy(
      memory.ofOwner(name, identityProvider),
      ({ owner }) => owner.identityProvider,
    );
    return [...byIdentityProvider]
      .toSorted(([a], [b]) => (a < b ? 1 : -1))
      .flatMap(([, grants]) => underGrants(grants));
  };
  const underGrants = (grants: readonly Grant[]): GrantedAccessToken[] =>
    newestFirst(grants).flatMap((grant) =>
      newestFirst([...tokens.values()].filter(({ grantId }) => grantId === grant.id)).map((token) => ({
        ...token,
        grant,
      })),
    );
  const foundBy = (scan: AccessTokenScan): readonly GrantedAccessToken[] => {
    if (scan.of === 'owner') return ofOwner(scan);
    if (scan.of === 'subject')
      return underGrants(memory.active().filter(({ owner }) => owner.subject === scan.subject));
    return newestFirst([...tokens.values()])
      .filter((token) => scan.of === 'all' || isOfClient(token, scan))
      .map((token) => memory.withGrant(token) ?? { ...token, grant: undefined });
  };
  return async (scan) => {
    const found = foundBy(scan).filter(() => canContain(scan.mayContain));
    const before = scan.before?.id;
    const start = before === undefined ? 0 : found.findIndex(({ id }) => id === before) + 1;
    return found.slice(start, start + scan.limit);
  };
}

/** @param lookups receives the ids that are looked up */
export function memoryAccessTokens(
  tokens: Map<string, StoredAccessToken>,
  memory: MemoryGrants,
  lookups: string[],
): AccessTokenStore {
  return {
    async insert(token) {
      if (token.grantId !== undefined) throw new Error('a token of a grant must be stored with its grant');
      if (isStored(token)) tokens.set(token.id, token);
    },
    async find(id) {
      lookups.push(id);
      return memory.withGrant(tokens.get(id));
    },
    async revoke(id) {
      const token = tokens.get(id);
      tokens.delete(id);
      memory.tokenIsGone(token);
      return token !== undefined;
    },
    list: async ({ clientRecordId, after = '', limit }) =>
      [...tokens.values()]
        .filter((token) => clientRecordId === undefined || token.clientRecordId === clientRecordId)
        .filter(({ id }) => id > after)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap((token) => memory.withGrant(token) ?? [])
        .slice(0, limit),
    scan: memoryTokenScan(tokens, memory),
  };
}
