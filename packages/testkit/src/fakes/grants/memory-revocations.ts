import { endsOf, type RevocationPage, type RevocationStore, type RevokedToken } from '@watchword/protocol';
import { type MemoryRecords, revokedClient } from '../records/memory-records.ts';
import type { MemoryGrants } from './memory-grants.ts';

export interface MemoryRevocations extends RevocationStore {
  /** Also at some resource servers alone. */
  revokeToken(token: RevokedToken): Promise<boolean>;
}

export function memoryRevocations(
  { clients, deleted }: Pick<MemoryRecords, 'clients' | 'deleted'>,
  memory: Pick<MemoryGrants, 'stored'>,
): MemoryRevocations {
  const tokens = new Map<string, RevokedToken>();
  return {
    async revokeToken(token) {
      const before = tokens.get(token.id);
      const { at } = token;
      const isKnown = (id: number) => before?.at?.includes(id) === true;
      if (before !== undefined && (before.at === undefined || at?.every(isKnown))) return false;
      const all = at && [...new Set([...(before?.at ?? []), ...at])];
      tokens.set(token.id, { ...token, ...(all && { at: all }) });
      return true;
    },
    async findToken(id) {
      const found = tokens.get(id);
      return found && { at: found.at };
    },
    listTokens: async (page) => pageOf([...tokens.values()], page),
    listGrants: async (page) =>
      pageOf(
        memory.stored().flatMap(({ grant, expires, revokedAt, partEndedAt }) => {
          const { id, clientRecordId, creationDate, scopes } = grant;
          const listed = { id, clientRecordId, creationDate, expires };
          if (revokedAt !== undefined) return [{ ...listed, revokedAt }];
          return partEndedAt === undefined ? [] : [{ ...listed, at: endsOf(scopes), revokedAt: partEndedAt }];
        }),
        page,
      ),
    listClients: async (from) =>
      [
        ...deleted,
        ...[...clients.values()]
          .filter(({ tokensValidFrom }) => tokensValidFrom > 0)
          .map((client) => revokedClient(client, client.tokensValidFrom)),
      ].filter(({ revokedAt }) => revokedAt >= from),
  };
}

interface Revoked {
  readonly id: string;
  readonly revokedAt: number;
}

function pageOf<Entry extends Revoked>(entries: readonly Entry[], { from, after, limit }: RevocationPage) {
  return entries
    .filter(({ revokedAt }) => revokedAt >= from)
    .filter((entry) => after === undefined || compare(entry, after) > 0)
    .toSorted(compare)
    .slice(0, limit);
}

function compare(a: Revoked, b: Revoked): number {
  if (a.revokedAt !== b.revokedAt) return a.revokedAt - b.revokedAt;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
