import { type AccessTokenStore, isStored, type StoredAccessToken } from '@watchword/protocol';
import type { MemoryGrants } from './memory-grants.ts';
import { memoryTokenScan } from './memory-issued-tokens.ts';

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
