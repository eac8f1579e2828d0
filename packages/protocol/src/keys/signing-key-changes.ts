import { keySetMaxAge, type SigningKey } from '../model/records/signing-key.ts';
import type { SigningAlgorithm } from '../model/signing-algorithm.ts';
import type { SigningKeyStore } from '../ports/stores/key-stores.ts';
import { nodeClockTolerance } from '../ports/system/clock.ts';
import { canSign, rejectedUntil, signingKeyOf, verifiesUntil } from './signing-key-states.ts';

/** A key without its times. */
export type MadeSigningKey = Pick<SigningKey, 'kid' | 'algorithm' | 'publicKey' | 'privateKey'>;

/** Changes of signing keys, to be stored in one transaction. */
export interface SigningKeyChanges {
  readonly inserted?: SigningKey;
  readonly updated?: readonly SigningKey[];
  readonly removed?: readonly SigningKey[];
}

// Milliseconds between the publication of a key and its first signature. A cache can have read the JWKS just before the
// publication, and another cache can have read that one just before it expired.
export const publicationLead = 2 * keySetMaxAge * 1000;
// Milliseconds. After that, no node signs with a retired key, whatever its clock says.
const erasedAfter = 60_000 + nodeClockTolerance;

/**
 * Publishes a key, which follows the other keys of its algorithm.
 *
 * @param atOnce whether it signs now, before caches know it. A key that follows none does so in any case.
 */
export function succession(
  keys: readonly SigningKey[],
  made: MadeSigningKey,
  now: number,
  atOnce = false,
): SigningKeyChanges {
  const isFirst = signingKeyOf(keys, made.algorithm, now) === undefined;
  const signsFrom = atOnce || isFirst ? now : now + publicationLead;
  const inserted = { ...made, publishedAt: now, signsFrom, retiredAt: undefined, compromisedAt: undefined };
  return { inserted, updated: retiredBy(inserted, keys, now) };
}

/** Lets a published key sign now, before all caches know it. */
export function promotion(keys: readonly SigningKey[], key: SigningKey, now: number): SigningKeyChanges {
  const promoted = { ...key, signsFrom: now };
  return { updated: [promoted, ...retiredBy(promoted, keys, now)] };
}

/** Retires a published key before it signs. The key that it was to follow goes on. */
export function withdrawal(keys: readonly SigningKey[], key: SigningKey, now: number): SigningKeyChanges {
  return { updated: [{ ...key, retiredAt: now }, ...continuedWithout(key, keys, now)] };
}

/**
 * No token verifies with the key any more, and its private half is erased. If it signs and another key is published, that one
 * signs now.
 */
export function compromise(keys: readonly SigningKey[], key: SigningKey, now: number): SigningKeyChanges {
  const retiredAt = Math.min(key.retiredAt ?? now, now);
  const ended = { ...key, retiredAt, compromisedAt: now, privateKey: undefined };
  const others = keys.filter(({ kid }) => kid !== key.kid);
  if (key.signsFrom > now) return { updated: [ended, ...continuedWithout(key, keys, now)] };
  const next = signingKeyOf(others, key.algorithm, now);
  if (!canSign(key, now) || next === undefined || next.signsFrom <= now) return { updated: [ended] };
  return { updated: [ended, ...(promotion(others, next, now).updated ?? [])] };
}

export interface SigningKeyRules {
  /** With which the server signs. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** Seconds for which a key signs. */
  readonly rotationInterval: number;
  /** Seconds for which an ID token can be a hint after its key has retired. */
  readonly sessionLifetime: number;
}

/** Algorithms for which a key must be made now. */
export function missingKeys(
  keys: readonly SigningKey[],
  { algorithms, rotationInterval }: Pick<SigningKeyRules, 'algorithms' | 'rotationInterval'>,
  now: number,
): SigningAlgorithm[] {
  return algorithms.filter((algorithm) => {
    const newest = keys.find((key) => key.algorithm === algorithm && isLast(key, now));
    return newest === undefined || isOverdue(newest, rotationInterval, now + publicationLead);
  });
}

/**
 * Erases private halves that do not sign any more, removes keys that verify nothing any more, and retires keys of algorithms that the
 * server no longer signs with, when their time is over.
 */
export function maintenance(
  keys: readonly SigningKey[],
  { algorithms, rotationInterval, sessionLifetime }: SigningKeyRules,
  now: number,
): SigningKeyChanges {
  const removed = keys.filter((key) => {
    const { compromisedAt } = key;
    const until =
      compromisedAt === undefined ? verifiesUntil(key, sessionLifetime) : rejectedUntil(compromisedAt);
    return until <= now;
  });
  const updated = keys.flatMap((key): SigningKey[] => {
    if (removed.includes(key)) return [];
    const { retiredAt, privateKey } = key;
    if (retiredAt !== undefined && retiredAt + erasedAfter <= now)
      return privateKey === undefined ? [] : [{ ...key, privateKey: undefined }];
    const isUnused = !algorithms.includes(key.algorithm) && isOverdue(key, rotationInterval, now);
    return isUnused && retiredAt === undefined ? [{ ...key, retiredAt: now }] : [];
  });
  return { updated, removed };
}

/** @returns whether all changes could be stored. Otherwise the transaction must fail. */
export async function storeSigningKeys(
  store: SigningKeyStore,
  { inserted, updated = [], removed = [] }: SigningKeyChanges,
): Promise<boolean> {
  if (inserted !== undefined && !(await store.insert(inserted))) return false;
  for (const key of updated) await store.update(key);
  for (const { kid } of removed) await store.remove(kid);
  return true;
}

/** Whether the key signs, or is to sign, and no key follows it. */
function isLast(key: SigningKey, now: number): boolean {
  return canSign(key, now) && key.retiredAt === undefined && key.privateKey !== undefined;
}

function isOverdue({ signsFrom }: SigningKey, rotationInterval: number, now: number): boolean {
  return signsFrom + rotationInterval * 1000 <= now;
}

/** The keys that a key follows, with their end. */
function retiredBy(next: SigningKey, keys: readonly SigningKey[], now: number): SigningKey[] {
  return keys
    .filter(({ kid, algorithm }) => kid !== next.kid && algorithm === next.algorithm)
    .filter((key) => canSign(key, now) && (key.retiredAt ?? Number.POSITIVE_INFINITY) > next.signsFrom)
    .map((key) => ({ ...key, retiredAt: next.signsFrom }));
}

/** The key that a published key was to follow, without its end. */
function continuedWithout(next: SigningKey, keys: readonly SigningKey[], now: number): SigningKey[] {
  const current = signingKeyOf(
    keys.filter(({ kid }) => kid !== next.kid),
    next.algorithm,
    now,
  );
  const isFollowed = current?.retiredAt !== undefined && current.retiredAt === next.signsFrom;
  return current !== undefined && isFollowed ? [{ ...current, retiredAt: undefined }] : [];
}
