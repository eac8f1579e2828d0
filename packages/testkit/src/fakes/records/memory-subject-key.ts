import type { SubjectKeyStore } from '@watchword/protocol';
import { seededRandom } from '../seeded-random.ts';

/** The key of all subjects in every store in memory. */
export const subjectSecret = Buffer.alloc(32);
seededRandom('subject key').fill(subjectSecret);

export function memorySubjectKey(): SubjectKeyStore {
  return { read: async () => subjectSecret };
}
