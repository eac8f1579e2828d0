import type {
  KeyRenewalStore,
  SealingKey,
  SealingKeyStore,
  SigningKey,
  SigningKeyStore,
  SubjectKeyStore,
} from '@watchword/protocol';
import { seededRandom } from '../seeded-random.ts';

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

/** The key of all subjects in every store in memory. */
export const subjectSecret = Buffer.alloc(32);
seededRandom('subject key').fill(subjectSecret);

export function memorySubjectKey(): SubjectKeyStore {
  return { read: async () => subjectSecret };
}
