import { seededRandom } from '../fakes/seeded-random.ts';

/** The fields of every stored credential: an id that contains the time of its creation, and a digest. */
export interface SelectorAndDigest {
  readonly id: string;
  readonly verifierHash: Uint8Array;
}

/**
 * Each call makes other values; `time` is in epoch milliseconds. With the id of a grant, the id is of the same shard, as that of every
 * code and token below the grant.
 */
export function selectorFactory(seed: string): (time: number, grantId?: string) => SelectorAndDigest {
  const random = seededRandom(seed);
  return (time, grantId) => {
    const bytes = Buffer.alloc(48);
    random.fill(bytes);
    return { id: uuidV7(time, bytes.subarray(0, 16), grantId), verifierHash: bytes.subarray(16) };
  };
}

function uuidV7(time: number, random: Buffer, grantId: string | undefined): string {
  const hex = random.toString('hex').split('');
  const set = (at: number, digits: string) => hex.splice(at, digits.length, ...digits);
  set(0, time.toString(16).padStart(12, '0'));
  set(12, '7');
  if (grantId !== undefined) set(13, shardDigits(grantId));
  set(16, '8');
  const text = hex.join('');
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function shardDigits(id: string): string {
  return id.slice(15, 18);
}
