import { readFileSync } from 'node:fs';
import { sha256 } from '@watchword/protocol';

/** Bytes of an entry of the list: with 100,000 entries, one in ten million other passwords is taken for one of them. */
export const entryBytes = 5;

/** The entry of a password in the list: the first bytes of its SHA-256 digest, in small letters. */
export function breachedEntry(password: string): Buffer {
  return sha256(password.toLowerCase()).subarray(0, entryBytes);
}

const file = 'data/breached-passwords.bin';
let entries: Buffer | undefined;

/**
 * Whether a password is among 100,000 that were in breaches, in small or capital letters. The entries are sorted
 * (`scripts/breached-passwords.ts`), and are read when somebody first chooses a password.
 */
export function isBreached(password: string): boolean {
  entries ??= readFileSync(new URL(file, import.meta.resolve('@watchword/accounts/package.json')));
  const wanted = breachedEntry(password);
  let [from, until] = [0, entries.length / entryBytes];
  while (from < until) {
    const middle = (from + until) >>> 1;
    const order = wanted.compare(entries, middle * entryBytes, (middle + 1) * entryBytes);
    if (order === 0) return true;
    if (order > 0) from = middle + 1;
    else until = middle;
  }
  return false;
}
