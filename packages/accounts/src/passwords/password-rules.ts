import type { Account, Violations } from '@watchword/protocol';
import { isBreached } from './breached-passwords.ts';

const maxPasswordBytes = 1024;
// NFKC makes a text at most four times as short: a mathematical letter of four bytes becomes a letter of one.
const maxTypedPasswordBytes = 4 * maxPasswordBytes;
/** The name that pages have where nobody gives another one. */
const usualProductName = 'Watchword';

/**
 * The form in which a password is measured and hashed: NFKC, because the same password typed on two keyboards
 * may come in different code points (NIST SP 800-63B-4 §3.1.1.2). It is never shortened or trimmed.
 */
export function normalizedPassword(password: string): string {
  return password.normalize('NFKC');
}

/**
 * Whether a text can be a password. Other texts must not be normalized: that takes the square of the time for a text of
 * combining marks (UAX #15 §13), and a login form takes texts from every caller.
 */
export function canBePassword(typed: string): boolean {
  return Buffer.byteLength(typed, 'utf8') <= maxTypedPasswordBytes && typed.isWellFormed();
}

/** In characters, as the rules count them. */
export function passwordLength(password: string): number {
  return [...normalizedPassword(password)].length;
}

/** Characters that a new password has at least (NIST SP 800-63B-4 §3.1.1.2). @param hasSecondFactor it opens the account only beside one */
export function leastPasswordCharacters(hasSecondFactor = false): number {
  return hasSecondFactor ? 8 : 15;
}

/**
 * Why a text cannot be a new password.
 *
 * - `short`, `long`: see {@link leastPasswordCharacters}; at most 1,024 bytes of UTF-8
 * - `malformed`: it has a lone surrogate. They all become the same bytes: different passwords would open the same account
 * - `breached`: it is among those that attackers try first
 * - `names`: it is little more than names of the user or of the product
 */
export type PasswordFault = 'short' | 'long' | 'malformed' | 'breached' | 'names';

/** Whose password it becomes. */
export interface PasswordOwner extends Partial<Pick<Account, 'username' | 'displayName' | 'email'>> {
  /** The name that pages show for the product. */
  readonly productName?: string | undefined;
  /** See {@link leastPasswordCharacters}; default: for a password alone. */
  readonly leastCharacters?: number;
}

/** `undefined` for a password that is accepted. Any characters will do, and no kind of them is asked for (NIST SP 800-63B-4 §3.1.1.2). */
export function passwordFault(typed: string, owner: PasswordOwner): PasswordFault | undefined {
  if (!typed.isWellFormed()) return 'malformed';
  if (!canBePassword(typed)) return 'long';
  const password = normalizedPassword(typed);
  if (Buffer.byteLength(password, 'utf8') > maxPasswordBytes) return 'long';
  const { leastCharacters = leastPasswordCharacters() } = owner;
  if (passwordLength(password) < leastCharacters) return 'short';
  if (isBreached(password)) return 'breached';
  return isMadeOfNames(password, owner) ? 'names' : undefined;
}

const faults: Readonly<Record<PasswordFault, string>> = {
  short: `is shorter than ${leastPasswordCharacters()} characters`,
  long: `is longer than ${maxPasswordBytes} bytes of UTF-8`,
  malformed: 'holds a lone surrogate',
  breached: 'is one of the 100,000 that were most used in breaches',
  names: 'is little more than the username, the display name, the e-mail address or the name of the product',
};

export function checkPassword(password: string, owner: PasswordOwner, violations: Violations): void {
  const fault = passwordFault(password, owner);
  if (fault !== undefined) violations.add('password', faults[fault]);
}

// Letters that must be left when the names are taken out. Digits and signs around a name are what everybody adds.
const leastOwnLetters = 6;
// Shorter parts of names are in many words.
const leastNameLength = 3;

function isMadeOfNames(password: string, owner: PasswordOwner): boolean {
  const { username = '', displayName = '', email = '', productName = '' } = owner;
  const whole = [username, displayName, email.split('@')[0] ?? '', productName, usualProductName];
  const names = whole
    .flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)])
    .map(folded)
    .filter((name) => name.length >= leastNameLength)
    .toSorted((a, b) => b.length - a.length);
  let left = folded(password);
  const before = left;
  for (const name of names) left = left.replaceAll(name, '');
  if (left === before) return false;
  return [...left.replaceAll(/[^\p{L}]/gu, '')].length < leastOwnLetters;
}

/** Names are found in any case, with spaces and signs between their parts or without. */
function folded(text: string): string {
  return normalizedPassword(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
