import type { Random } from '../ports/crypto/random.ts';

/** Random bytes as base64url. @param size in bytes */
export function randomText(random: Random, size: number): string {
  const bytes = Buffer.alloc(size);
  random.fill(bytes);
  return bytes.toString('base64url');
}
