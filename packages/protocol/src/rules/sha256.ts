import { hash } from 'node:crypto';

/**
 * The SHA-256 digest, 32 bytes. Taken as a string and copied into the buffer pool: a digest that the
 * platform hands out as a buffer has memory of its own, which costs the garbage collector more than the rest.
 */
export function sha256(data: string | Uint8Array): Buffer {
  return Buffer.from(hash('sha256', data, 'latin1'), 'latin1');
}
