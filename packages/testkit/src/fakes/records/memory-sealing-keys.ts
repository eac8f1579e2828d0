import type { KeyRenewalStore, SealingKey, SealingKeyStore } from '@watchword/protocol';

export function memorySealingKeys(): SealingKeyStore & KeyRenewalStore {
  let keys: readonly SealingKey[] = [];
  return {
    list: async () => [...keys],
    async rotate(key, expired) {
      keys = [...keys, key]
        .filter(({ creationDate }) => creationDate >= expired)
        .toSorted((a, b) => b.creationDate - a.creationDate || (a.id > b.id ? -1 : 1));
    },
    async renew(key) {
      keys = [key];
    },
  };
}
