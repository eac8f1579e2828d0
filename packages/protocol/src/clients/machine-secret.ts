import { timingSafeEqual } from 'node:crypto';
import type { MachineSecret } from '../model/machine-secret.ts';
import type { Random } from '../ports/random.ts';
import { sha256 } from '../rules/sha256.ts';
import type { ClientAuthenticationMethod } from './authentication-method.ts';

const secretBytes = 32;

/** A new secret for a client or a resource server: a recognizable prefix and 256 random bits. */
export function generateSecret(random: Random): string {
  const bytes = Buffer.alloc(secretBytes);
  random.fill(bytes);
  return `wws_${bytes.toString('base64url')}`;
}

/** Whether a text has the form of {@link generateSecret}. An operator can have imported secrets of another form. */
export function isGeneratedSecret(text: string): boolean {
  return /^wws_[A-Za-z0-9_-]{43}$/.test(text);
}

/** The stored form of a secret that has no predecessor. */
export function storedSecret(secret: string): MachineSecret {
  return { hash: sha256(secret), previousHash: undefined, previousValidUntil: 0 };
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

/** Compares in constant time. Always `false` without a stored secret. */
export function secretMatches(stored: MachineSecret | undefined, presented: string, now: number): boolean {
  const { hash: current, previousHash, previousValidUntil } = stored ?? unknownSecret;
  const presentedHash = sha256(presented);
  const matchesCurrent = timingSafeEqual(current, presentedHash);
  const matchesPrevious =
    previousHash !== undefined && now < previousValidUntil && timingSafeEqual(previousHash, presentedHash);
  return stored !== undefined && (matchesCurrent || matchesPrevious);
}

/** Verifies the secret of `client_secret_basic` and `client_secret_post`. */
export const verifySecret: ClientAuthenticationMethod['verify'] = ({ proof }, caller, _request, now) =>
  secretMatches(caller?.secret, proof, now);
