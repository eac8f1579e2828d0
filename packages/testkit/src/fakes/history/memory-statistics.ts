import type {
  AccessToken,
  Client,
  Hours,
  IssuedCount,
  IssuedToClient,
  ResourceServer,
  SecretUse,
  StatisticsStore,
} from '@watchword/protocol';
import { identityOf } from '@watchword/protocol';
import type { MemoryGrants } from '../grants/memory-grants.ts';

export interface CountedRecords {
  readonly tokens: ReadonlyMap<string, AccessToken>;
  readonly clients: ReadonlyMap<number, Client>;
  readonly servers: ReadonlyMap<number, ResourceServer>;
}

/** @param counts counts of issued tokens, by hour, grant type and owner */
export function memoryStatistics(
  records: CountedRecords,
  memory: MemoryGrants,
  counts = new Map<string, IssuedCount>(),
): StatisticsStore {
  const isActive = (expires: number, now: number) => expires === 0 || expires > now;
  const issuedTo = ({ from, until }: Hours): IssuedToClient[] => {
    const earlier = [...counts.values()].filter(({ hour }) => hour < until);
    return [...Map.groupBy(earlier, ({ clientRecordId }) => clientRecordId)].map(([clientRecordId, own]) => ({
      clientRecordId,
      tokens: own.filter(({ hour }) => hour >= from).reduce((sum, { tokens }) => sum + tokens, 0),
      lastHour: Math.max(...own.map(({ hour }) => hour)),
    }));
  };
  const uses = new Map<string, SecretUse>();
  return {
    async noteSecretUses(noted) {
      for (const use of noted) {
        const key = `${use.clientRecordId} ${use.secretId}`;
        if ((uses.get(key)?.lastUsed ?? 0) < use.lastUsed) uses.set(key, use);
      }
    },
    secretUses: async (id) =>
      new Map(
        [...uses.values()]
          .filter(({ clientRecordId }) => clientRecordId === id)
          .map(({ secretId, lastUsed }) => [secretId, lastUsed]),
      ),
    async countOf({ id, tokensValidFrom }, now, limit) {
      const newest = <Row extends { readonly id: string; readonly creationDate: number }>(
        rows: readonly Row[],
      ) =>
        rows
          .filter(({ creationDate }) => creationDate > tokensValidFrom)
          .toSorted((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit);
      const ofClient = [...records.tokens.values()].filter(({ clientRecordId }) => clientRecordId === id);
      const tokens = newest(ofClient);
      const owners = newest(memory.ofClient(id, now)).map(({ owner }) => JSON.stringify(identityOf(owner)));
      return {
        tokens: tokens.filter(({ expires }) => isActive(expires, now)).length,
        resourceOwners: new Set(owners).size,
        read: tokens.length + owners.length,
      };
    },
    accessTo: async (clients, now, limit) =>
      clients.flatMap(({ id, tokensValidFrom }) => {
        const newest = memory
          .ofClient(id, now)
          .filter(({ creationDate }) => creationDate > tokensValidFrom)
          .toSorted((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit);
        const owners = new Set(newest.map(({ owner }) => JSON.stringify(identityOf(owner))));
        const scopes = new Map(newest.map((grant) => [grant.scopes.join(' '), grant.scopes])).values();
        if (newest.length === 0) return [];
        return [{ clientRecordId: id, resourceOwners: owners.size, scopes: [...scopes] }];
      }),
    async addIssued(added) {
      for (const count of added) {
        const key = JSON.stringify([count.hour, count.clientRecordId, count.grantType]);
        const tokens = (counts.get(key)?.tokens ?? 0) + count.tokens;
        counts.set(key, { ...count, tokens });
      }
    },
    issuedTo: async (ids, hours) =>
      issuedTo(hours).filter(({ clientRecordId }) => ids.includes(clientRecordId)),
    busiest: async (hours, limit) =>
      issuedTo(hours)
        .filter(({ tokens }) => tokens > 0)
        .toSorted((a, b) => b.tokens - a.tokens || a.clientRecordId - b.clientRecordId)
        .slice(0, limit),
    async issued({ from, until, owner }) {
      const isOwn = ({ clientRecordId }: IssuedCount) => {
        const client = records.clients.get(clientRecordId);
        const server = client && records.servers.get(client.resourceServerId);
        return server?.owner === owner?.name && server?.ownerAuthority === owner?.identityProvider;
      };
      const wanted = [...counts.values()]
        .filter(({ hour }) => hour >= from && hour < until)
        .filter((count) => owner === undefined || isOwn(count));
      const sums = Map.groupBy(wanted, ({ hour, grantType }) => JSON.stringify([hour, grantType]));
      return [...sums.values()]
        .map((group) => ({
          hour: group[0]?.hour ?? 0,
          grantType: group[0]?.grantType ?? '',
          tokens: group.reduce((sum, { tokens }) => sum + tokens, 0),
        }))
        .toSorted((a, b) => a.hour - b.hour || (a.grantType < b.grantType ? -1 : 1));
    },
  };
}
