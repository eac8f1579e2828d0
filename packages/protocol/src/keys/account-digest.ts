import { createHmac } from 'node:crypto';
import type { Identity } from '../model/resource-owner.ts';

// 96 bits: no two accounts of one server share one, and a line stays short.
const length = 16;

/**
 * Names an account where its name must not stand: the same account by the same text, and nobody without the key can tell
 * which account it is, or try names.
 */
export function accountDigest(key: Uint8Array, { authority, name }: Identity): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([authority, name]))
    .digest('base64url')
    .slice(0, length);
}
