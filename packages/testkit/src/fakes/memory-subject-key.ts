import type { SubjectKeyStore } from '@watchword/protocol';
import { seededRandom } from './seeded-random.ts';

export function memorySubjectKey(): SubjectKeyStore {
  const key = Buffer.alloc(32);
  seededRandom('subject key').fill(key);
  return { read: async () => key };
}
