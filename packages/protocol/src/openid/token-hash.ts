import { hash } from 'node:crypto';
import type { SigningAlgorithm } from '../model/signing-algorithm.ts';

// The hash function of each signature (RFC 7518 §3.1). Ed25519 has SHA-512 (RFC 8032 §5.1).
const hashes = { RS256: 'sha256', ES256: 'sha256', PS256: 'sha256', EdDSA: 'sha512' } as const;

/** `at_hash`: the left half of the hash of an access token (OpenID Connect Core §3.1.3.6), in base64url. */
export function tokenHash(token: string, algorithm: SigningAlgorithm): string {
  const digest = hash(hashes[algorithm], token, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
