import { timingSafeEqual } from 'node:crypto';
import { sha256 } from './sha256.ts';

// A SHA-256 digest in base64url has 43 characters (RFC 7636 §4.2).
const challengePattern = /^[A-Za-z0-9_-]{43}$/;
// RFC 7636 §4.1.
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

export function isCodeChallenge(value: string): boolean {
  return challengePattern.test(value);
}

/** Whether the verifier is the one that the S256 challenge was made of (RFC 7636 §4.6). */
export function verifierMatches(challenge: string, verifier: string): boolean {
  if (!verifierPattern.test(verifier)) return false;
  return timingSafeEqual(Buffer.from(sha256(verifier).toString('base64url')), Buffer.from(challenge));
}
