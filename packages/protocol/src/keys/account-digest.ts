import { createHmac } from 'node:crypto';
import type { Identity } from '../model/resource-owner.ts';

// 96 bits: no two accounts of one server have the same digest, and a log line stays short.
const length = 16;

/**
 * Identifies an account in the log, where its name must not appear. An account has the same digest until the key is renewed. Without the key it is
 * impossible to find the account of a digest, or to try names.
 */
export function accountDigest(key: Uint8Array, { identityProvider, name }: Identity): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([identityProvider, name]))
    .digest('base64url')
    .slice(0, length);
}
