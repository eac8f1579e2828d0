import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../ports/crypto/random.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Authenticated encryption with AES-256-GCM: nonce, ciphertext and tag as base64url. `context` is not part of
 * the text and must be the same on opening, so that a text sealed for one purpose cannot be used for another.
 *
 * @param key 32 bytes
 */
export function sealWith(key: Uint8Array, text: string, context: string, random: Random): string {
  const nonce = Buffer.alloc(nonceBytes);
  random.fill(nonce);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context));
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** `undefined` for any text that {@link sealWith} did not make with this key and context. */
export function openWith(key: Uint8Array, sealed: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  // The decoder accepts other alphabets too; a sealed text has exactly one form.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== sealed) return undefined;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    decipher.final();
    return text.toString();
  } catch {
    return undefined;
  }
}
