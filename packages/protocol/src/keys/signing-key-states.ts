import { longestJwtLifetime, type SigningKey } from '../model/records/signing-key.ts';
import type { SigningAlgorithm } from '../model/signing-algorithm.ts';

/**
 * - `published`: in the JWKS, so that all caches know it before it signs
 * - `signing`: signs
 * - `retiring`: in the JWKS until the last token that it signed has expired
 * - `retired`: only verifies an `id_token_hint`
 * - `compromised`: verifies nothing
 */
export type SigningKeyState = (typeof signingKeyStates)[number];
export const signingKeyStates = ['published', 'signing', 'retiring', 'retired', 'compromised'] as const;

// Milliseconds. The clocks of nodes and of resource servers differ, and a resource server can accept a token a little longer.
const margin = 300_000;
const longestLifetime = longestJwtLifetime * 1000;

/** @param now epoch milliseconds, here and below */
export function signingKeyState(key: SigningKey, now: number): SigningKeyState {
  if (key.compromisedAt !== undefined) return 'compromised';
  if (canSign(key, now)) return now < key.signsFrom ? 'published' : 'signing';
  return now < publishedUntil(key) ? 'retiring' : 'retired';
}

/** Epoch milliseconds at which the key leaves the JWKS. */
export function publishedUntil({ retiredAt, compromisedAt }: SigningKey): number {
  if (compromisedAt !== undefined) return compromisedAt;
  return retiredAt === undefined ? Number.POSITIVE_INFINITY : retiredAt + longestLifetime + margin;
}

/** Epoch milliseconds after which no token can be valid that a compromised key signed. */
export function rejectedUntil(compromisedAt: number): number {
  return compromisedAt + longestLifetime + margin;
}

/**
 * Epoch milliseconds at which the key verifies nothing any more.
 *
 * @param sessionLifetime seconds for which an ID token can be a hint after the key has retired
 */
export function verifiesUntil(key: SigningKey, sessionLifetime: number): number {
  if (key.compromisedAt !== undefined) return key.compromisedAt;
  const { retiredAt = Number.POSITIVE_INFINITY } = key;
  return Math.max(publishedUntil(key), retiredAt + sessionLifetime * 1000);
}

/**
 * The key that signs now: of the algorithm, the one that began last. If all of them are to begin later, because a clock was set
 * back or another key is compromised, the first of them.
 */
export function signingKeyOf(
  keys: readonly SigningKey[],
  algorithm: SigningAlgorithm,
  now: number,
): SigningKey | undefined {
  const able = keys
    .filter((key) => key.algorithm === algorithm && key.privateKey !== undefined && canSign(key, now))
    .toSorted((a, b) => b.signsFrom - a.signsFrom || (a.kid > b.kid ? -1 : 1));
  return able.find(({ signsFrom }) => signsFrom <= now) ?? able.at(-1);
}

/** Whether the key signs, or is to sign later. */
export function canSign({ retiredAt, compromisedAt }: SigningKey, now: number): boolean {
  return compromisedAt === undefined && (retiredAt === undefined || now < retiredAt);
}
