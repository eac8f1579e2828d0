import { createCipheriv, createHash } from 'node:crypto';
import type { Random } from '@watchword/protocol';

/** The same bytes for the same seed, in the order in which they are asked for: the key stream of AES. Whoever knows the seed knows all. */
export function seededRandom(seed: string | number): Random {
  const stream = createCipheriv('aes-256-ctr', digestOf(`${seed}`), Buffer.alloc(16));
  return { fill: (target) => target.set(stream.update(new Uint8Array(target.length))) };
}

export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
