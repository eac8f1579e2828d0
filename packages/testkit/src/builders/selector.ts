import { seededRandom } from '../fakes/seeded-random.ts';

/** The fields of every stored credential: an id that contains the time of its creation, and a digest. */
export interface SelectorAndDigest {
  readonly id: string;
  readonly verifierHash: Uint8Array;
}

/** Each call makes other values; `time` is in epoch milliseconds. */
export function selectorFactory(seed: string): (time: number) => SelectorAndDigest {
  const random = seededRandom(seed);
  return (time) => {
    const bytes = Buffer.alloc(48);
    random.fill(bytes);
    return { id: uuidV7(time, bytes.subarray(0, 16)), verifierHash: bytes.subarray(16) };
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
