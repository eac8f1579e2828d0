import { createHash } from 'node:crypto';
import { shown } from '@watchword/protocol';
import type { VerifiedToken } from '../provider/keys.ts';
import { isTime } from '../provider/requests.ts';
import { UpstreamError } from '../upstream-error.ts';

/** What an ID token must say. Times in epoch milliseconds, durations in milliseconds unless named otherwise. */
export interface ExpectedToken {
  readonly issuer: string;
  readonly clientId: string;
  readonly trustedAudiences: readonly string[];
  readonly nonce: string;
  readonly askedAt: number;
  readonly accessToken: string;
  readonly now: number;
  readonly clockSkew: number;
}

/** The claims of an ID token of which this server makes use. */
export interface IdTokenClaims {
  readonly sub: string;
  /** Epoch seconds. */
  readonly authTime: number | undefined;
  readonly acr: string | undefined;
  readonly amr: readonly string[] | undefined;
  /** OpenID Connect Back-Channel Logout §2.1. */
  readonly sid: string | undefined;
}

const maxSubjectLength = 255;
const maxAcrLength = 1024;
const maxMethods = 20;

/**
 * Checks an ID token whose signature is right by the rules of OpenID Connect Core §3.1.3.7; the numbers are those of its list.
 *
 * @throws UpstreamError `issuer`, `audience`, `time`, `nonce`, `token`, `subject`
 */
export function checkIdToken({ claims, alg }: VerifiedToken, expected: ExpectedToken): IdTokenClaims {
  requireIssuer(claims, expected.issuer); // 2
  requireAudience(claims, expected); // 3 to 5
  requireTimes(claims, expected); // 9, 10
  // 11
  if (claims.nonce !== expected.nonce) {
    throw new UpstreamError('nonce', 'the nonce of the ID token is not that of the request of this browser');
  }
  requireTokenHash(claims, alg, expected.accessToken);
  const { sub, auth_time: authTime, acr, amr, sid } = claims;
  if (typeof sub !== 'string' || !/^[\x20-\x7e]+$/.test(sub) || sub.length > maxSubjectLength) {
    throw new UpstreamError(
      'subject',
      `expected sub in the ID token: 1 to ${maxSubjectLength} characters of ASCII`,
    );
  }
  if (authTime !== undefined && !isTime(authTime)) {
    throw new UpstreamError('time', 'expected auth_time of the ID token in seconds');
  }
  return {
    sub,
    authTime,
    // 12: the server compares it with what the client requires.
    acr: typeof acr === 'string' && acr !== '' && acr.length <= maxAcrLength ? acr : undefined,
    amr: Array.isArray(amr) ? amr.filter(isMethod).slice(0, maxMethods) : undefined,
    sid: typeof sid === 'string' && sid !== '' ? sid : undefined,
  };
}

/** @throws UpstreamError `issuer` */
export function requireIssuer({ iss }: Readonly<Record<string, unknown>>, issuer: string): void {
  if (iss === issuer) return;
  throw new UpstreamError(
    'issuer',
    `expected the issuer ${issuer}, got ${shown(String(iss ?? 'none'), 300)}`,
  );
}

/** @throws UpstreamError `audience` */
export function requireAudience(
  { aud, azp }: Readonly<Record<string, unknown>>,
  { clientId, trustedAudiences }: Pick<ExpectedToken, 'clientId' | 'trustedAudiences'>,
): void {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(clientId)) {
    throw new UpstreamError('audience', `expected the client ${clientId} in aud of the token`);
  }
  const others = audiences.filter((each) => each !== clientId);
  const foreign = others.find((each) => typeof each !== 'string' || !trustedAudiences.includes(each));
  if (foreign !== undefined) {
    const detail = `aud of the token has ${shown(String(foreign), 200)} too, which is not one of trustedAudiences`;
    throw new UpstreamError('audience', detail);
  }
  if (azp === undefined ? others.length > 0 : azp !== clientId) {
    throw new UpstreamError('audience', `expected the client ${clientId} in azp of the token`);
  }
}

function requireTimes(
  { exp, iat, nbf }: Readonly<Record<string, unknown>>,
  { now, clockSkew, askedAt }: Pick<ExpectedToken, 'now' | 'clockSkew' | 'askedAt'>,
): void {
  if (!isTime(exp) || !isTime(iat) || (nbf !== undefined && !isTime(nbf))) {
    throw new UpstreamError('time', 'expected exp and iat in the ID token, in seconds');
  }
  if (exp * 1000 <= now - clockSkew) {
    throw new UpstreamError('time', 'the ID token has expired; do the clocks agree?');
  }
  if (Math.max(iat, nbf ?? 0) * 1000 > now + clockSkew) {
    throw new UpstreamError('time', 'the ID token is not valid yet; do the clocks agree?');
  }
  // Seconds are rounded down.
  if (iat * 1000 + 1000 < askedAt - clockSkew) {
    throw new UpstreamError('time', 'the ID token was issued before the request; do the clocks agree?');
  }
}

/** `at_hash` is optional here, but must be right (§3.1.3.8). */
function requireTokenHash(
  { at_hash: given }: Readonly<Record<string, unknown>>,
  alg: string,
  accessToken: string,
): void {
  if (given === undefined) return;
  const digest = createHash(hashOf(alg)).update(accessToken).digest();
  if (given === digest.subarray(0, digest.length / 2).toString('base64url')) return;
  throw new UpstreamError('token', 'at_hash of the ID token does not belong to the access token');
}

/** Of an algorithm with a name such as RS256; EdDSA is that of Ed25519, which hashes by SHA-512. */
function hashOf(alg: string): string {
  return `sha${/^[A-Z]S(\d{3})$/.exec(alg)?.[1] ?? '512'}`;
}

function isMethod(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 100 && value.isWellFormed();
}
