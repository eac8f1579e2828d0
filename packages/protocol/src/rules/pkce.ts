import { timingSafeEqual } from 'node:crypto';
import type { VerifierMismatch } from '../model/errors/rules/grant-rules.ts';
import { sha256 } from './sha256.ts';

// A SHA-256 digest in base64url has 43 characters (RFC 7636 §4.2).
const challengePattern = /^[A-Za-z0-9_-]{43}$/;
// RFC 7636 §4.1.
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

export function isCodeChallenge(value: string): boolean {
  return challengePattern.test(value);
}

// Characters: 72 bits. The challenge itself was in the address of the authorization request.
const shownChallenge = 12;

/**
 * Why the verifier is not the one that the S256 challenge was made of (RFC 7636 §4.6), by the beginnings of the challenges; `undefined` when
 * it is.
 */
export function verifierMismatch(challenge: string, verifier?: string): VerifierMismatch | undefined {
  const expected = challenge.slice(0, shownChallenge);
  if (verifier === undefined) return { expected, came: undefined };
  // One of another form could be any text, and is not shown.
  if (!verifierPattern.test(verifier)) return { expected, came: 'malformed' };
  const made = sha256(verifier).toString('base64url');
  if (timingSafeEqual(Buffer.from(made), Buffer.from(challenge))) return undefined;
  return { expected, came: { challenge: made.slice(0, shownChallenge) } };
}
