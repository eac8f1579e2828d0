import type { SigningKey, SigningKeyStore } from '@watchword/protocol';

export function memorySigningKeys(keys: Map<string, SigningKey>): SigningKeyStore {
  return {
    list: async () =>
      [...keys.values()].toSorted((a, b) => b.signsFrom - a.signsFrom || (a.kid > b.kid ? -1 : 1)),
    async insert(key) {
      if (keys.has(key.kid)) return false;
      keys.set(key.kid, key);
      return true;
    },
    async update(key) {
      const stored = keys.get(key.kid);
      if (stored === undefined) return;
      const { privateKey, publishedAt, signsFrom, retiredAt, compromisedAt } = key;
      keys.set(key.kid, { ...stored, privateKey, publishedAt, signsFrom, retiredAt, compromisedAt });
    },
    async remove(kid) {
      keys.delete(kid);
    },
  };
}
