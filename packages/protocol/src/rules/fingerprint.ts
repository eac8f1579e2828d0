import { sha256 } from './sha256.ts';

// 48 bits: enough to compare a few values, and far too few to find one.
const length = 12;

/**
 * Identifies a secret value in an error without revealing it: the first 12 hexadecimal characters of its SHA-256 digest. A
 * developer can make it of the own value and compare: `printf %s "$CODE" | sha256sum`.
 *
 * The digest has no key, so the value must be of this server and have 256 random bits. A text that a person could have
 * chosen gets no fingerprint, because a reader could try guesses.
 */
export function fingerprint(value: string): string {
  return `sha256:${sha256(value).toString('hex').slice(0, length)}`;
}
