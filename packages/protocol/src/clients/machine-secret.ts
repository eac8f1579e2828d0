import { timingSafeEqual } from 'node:crypto';
import type { MachineSecret } from '../model/machine-secret.ts';
import type { Random } from '../ports/random.ts';
import { sha256 } from '../rules/sha256.ts';

const secretBytes = 32;

/** A new secret for a client or a resource server: a recognizable prefix and 256 random bits. */
export function generateSecret(random: Random): string {
  const bytes = Buffer.alloc(secretBytes);
  random.fill(bytes);
  return `wws_${bytes.toString('base64url')}`;
}

/** The stored form of a secret that has no predecessor. */
export function storedSecret(secret: string): MachineSecret {
  return { hash: sha256(secret), previousHash: undefined, previousValidUntil: 0 };
}

/**
 * The stored form after a rotation: the old secret counts for `overlapSeconds` more. Without an overlap it is
 * forgotten, so that no clock can bring it back.
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

// Compared against when there is no record, so that an unknown name costs what a wrong secret costs.
const nobody = storedSecret('');

/** Compares in constant time. Always `false` without a stored secret. */
export function secretMatches(stored: MachineSecret | undefined, presented: string, now: number): boolean {
  const { hash: current, previousHash, previousValidUntil } = stored ?? nobody;
  const presentedHash = sha256(presented);
  const matchesCurrent = timingSafeEqual(current, presentedHash);
  const matchesPrevious =
    previousHash !== undefined && now < previousValidUntil && timingSafeEqual(previousHash, presentedHash);
  return stored !== undefined && (matchesCurrent || matchesPrevious);
}
