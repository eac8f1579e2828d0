import type { AccessToken } from '@watchword/protocol';
import { seededRandom } from '../fakes/seeded-random.ts';

/** Each call makes another token; its id says `creationDate`, as the store may rely on. */
export type TokenFactory = (overrides?: Partial<AccessToken>) => AccessToken;

export function tokenFactory(seed = 'tokens'): TokenFactory {
  const random = seededRandom(seed);
  return (overrides = {}) => {
    const creationDate = overrides.creationDate ?? Date.UTC(2026, 0, 1);
    const bytes = Buffer.alloc(48);
    random.fill(bytes);
    return {
      id: uuidV7(creationDate, bytes.subarray(0, 16)),
      verifierHash: bytes.subarray(16),
      clientRecordId: 1,
      grantId: undefined,
      scopes: ['read'],
      expires: 0,
      creationDate,
      ...overrides,
    };
  };
}

function uuidV7(time: number, random: Buffer): string {
  const hex = random.toString('hex').split('');
  const set = (at: number, digits: string) => hex.splice(at, digits.length, ...digits);
  set(0, time.toString(16).padStart(12, '0'));
  set(12, '7');
  set(16, '8');
  const text = hex.join('');
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
