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
export function verifierMatches(challenge: string, verifier = ''): boolean {
  if (!verifierPattern.test(verifier)) return false;
  return timingSafeEqual(Buffer.from(sha256(verifier).toString('base64url')), Buffer.from(challenge));
}

// Characters: 72 bits. The challenge itself was in the address of the authorization request.
const shownChallenge = 12;

/** The beginning of a challenge, by which a reader recognizes it in an error. */
export function challengeStart(challenge: string): string {
  return `${challenge.slice(0, shownChallenge)}…`;
}

/** A verifier in an error, by the challenge that belongs to it. One of another form could be any text, and is not shown. */
export function shownVerifier(verifier: string): string {
  if (!verifierPattern.test(verifier))
    return 'a code_verifier that is not 43 to 128 characters of A-Z a-z 0-9 - . _ ~';
  return `a code_verifier whose S256 challenge begins with ${challengeStart(sha256(verifier).toString('base64url'))}`;
}
