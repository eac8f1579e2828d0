import { timingSafeEqual } from 'node:crypto';
import { type ClientSecret, isValidSecret, maxClientSecrets } from '../../model/client-secret.ts';
import {
  canBeGuessed,
  isSlowHash,
  type MachineSecret,
  strongSecretLength,
} from '../../model/machine-secret.ts';
import type { Random } from '../../ports/crypto/random.ts';
import { randomText } from '../../rules/random-text.ts';
import { sha256 } from '../../rules/sha256.ts';
import type { SlowSecrets } from './authentication-method.ts';
import { newestId } from './client-secrets.ts';

const secretBytes = 32;

/** A new secret for a client or a resource server: a recognizable prefix and 256 random bits. */
export function generateSecret(random: Random): string {
  return `wws_${randomText(random, secretBytes)}`;
}

/** Whether a text has the form of {@link generateSecret}. An operator can have imported secrets of another form. */
export function isGeneratedSecret(text: string): boolean {
  return /^wws_[A-Za-z0-9_-]{43}$/.test(text);
}

/** The stored form of a secret that has no predecessor. */
export function storedSecret(secret: string): MachineSecret {
  return { hash: sha256(secret), previousHash: undefined, previousValidUntil: 0 };
}

/** A secret that another system or a person has made, with its stored form. */
export interface ChosenSecret {
  readonly text: string;
  readonly stored: MachineSecret;
}

/**
 * @param slowHash argon2id of the secret in PHC string form, if it can be guessed
 * @throws Error if it can be guessed and has no slow hash
 */
export function chosenSecret(text: string, slowHash?: string): ChosenSecret {
  if (!canBeGuessed(text)) return { text, stored: storedSecret(text) };
  if (slowHash === undefined)
    throw new Error(`a secret of fewer than ${strongSecretLength} characters needs a slow hash`);
  return { text, stored: { ...storedSecret(text), hash: Buffer.from(slowHash) } };
}

/**
 * The stored form after a rotation: the old secret is valid for `overlapSeconds` more. Without an overlap the server
 * forgets it, so that a clock that is set back cannot make it valid again.
 */
export function rotatedSecret(
  secret: string,
  previous: MachineSecret | undefined,
  now: number,
  overlapSeconds: number,
): MachineSecret {
  if (previous === undefined || overlapSeconds === 0) return storedSecret(secret);
  return {
    hash: sha256(secret),
    previousHash: previous.hash,
    previousValidUntil: now + overlapSeconds * 1000,
  };
}

// Compared against when there is no record, so that an unknown identifier costs the same as a wrong secret.
const unknownSecret = storedSecret('');

/**
 * Compares in constant time. Always `false` without a stored secret.
 *
 * @param slow remembers which secrets had been verified by a slow hash; without it no such secret matches
 */
export function secretMatches(
  stored: MachineSecret | undefined,
  presented: string,
  now: number,
  slow?: Pick<SlowSecrets, 'isRemembered'>,
): boolean {
  return matchingSecret(stored, presented, now, slow) !== undefined;
}

/** The id of the secret that was presented, by the rules of {@link secretMatches}. */
export function matchingSecret(
  stored: MachineSecret | undefined,
  presented: string,
  now: number,
  slow?: Pick<SlowSecrets, 'isRemembered'>,
): number | undefined {
  const known = stored ?? unknownSecret;
  const digest = sha256(presented);
  const matches = (hash: Uint8Array) =>
    isSlowHash(hash) ? slow?.isRemembered(hash, digest) === true : timingSafeEqual(hash, digest);
  if (known.numbered !== undefined) return matchingNumbered(known.numbered.secrets, matches, now);
  const { hash: current, previousHash, previousValidUntil } = known;
  const matchesCurrent = matches(current);
  const matchesPrevious = previousHash !== undefined && now < previousValidUntil && matches(previousHash);
  if (stored === undefined || !(matchesCurrent || matchesPrevious)) return undefined;
  return newestId(stored) - Number(!matchesCurrent);
}

/** The time shows neither which secret it is, nor how many there are, nor whether one has expired. */
function matchingNumbered(
  secrets: readonly ClientSecret[],
  matches: (hash: Uint8Array) => boolean,
  now: number,
): number | undefined {
  let found: number | undefined;
  for (let index = 0; index < maxClientSecrets; index += 1) {
    const secret = secrets[index];
    const isMatching = matches(secret?.hash ?? unknownSecret.hash);
    if (isMatching && secret !== undefined && isValidSecret(secret, now)) found = secret.id;
  }
  return found;
}
