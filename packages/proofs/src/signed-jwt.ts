import { decode } from 'jose/base64url';
import { isObject, type KeySet, type ListedKey, signatureKeys, usualName } from './key-set.ts';
import { platform } from './platform.ts';
import { isSignatureAlgorithm, type SignatureAlgorithm } from './public-key.ts';
import { type SignatureCheck, signatureCheck } from './signature.ts';

/** A JWT as a party sends it: nothing of it is verified. */
export interface UnverifiedJwt {
  readonly text: string;
  readonly header: {
    readonly alg: string;
    readonly kid: string | undefined;
    readonly typ: string | undefined;
  };
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What a JWT of another party must say. */
export interface JwtExpectations {
  /** EdDSA stands for Ed25519 too. */
  readonly algorithms: readonly string[];
  /** Every audience must be one of these: who else is named could send the JWT here too. Absent: not looked at. */
  readonly audiences?: readonly string[];
  /** Absent: not looked at. */
  readonly times?: JwtTimes;
}

export interface JwtTimes {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Seconds until `exp`, and since `iat` where there is one. */
  readonly maxLifetime: number;
}

/** Why a JWT is not accepted. The texts have nothing of it but the names of algorithms and times. */
export interface JwtRefusal {
  readonly rule: 'algorithm' | 'key' | 'signature' | 'audience' | 'time';
  readonly expected: string;
  readonly came: string;
  /** Keys with which it was verified, if any were. */
  readonly tried?: number;
}

/** Characters. */
const maxLength = 16_384;
/** Keys that are tried: whoever sends wrong signatures must not make the server verify each with twenty keys. */
export const maxTries = 4;
/** Seconds by which the clocks of two parties can differ. */
export const clockSkew = 60;

/**
 * `undefined` for a text that is no signed JWT (RFC 7519 §7.2), or a very long one. An extension that must be understood (`crit`) is
 * none that is.
 */
export function parseJwt(text: string): UnverifiedJwt | undefined {
  const parts = text.length > maxLength ? [] : text.split('.');
  const [header, claims] = parts.length === 3 ? parts.slice(0, 2).map(jsonOf) : [];
  if (header === undefined || claims === undefined) return undefined;
  const { alg, kid, typ, crit } = header;
  if (typeof alg !== 'string' || !isOptionalText(kid) || !isOptionalText(typ) || crit !== undefined)
    return undefined;
  return { text, header: { alg, kid, typ }, claims };
}

function jsonOf(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    if (!/^[\w-]+$/.test(part)) return undefined;
    const value: unknown = JSON.parse(
      new platform.TextDecoder('utf-8', { fatal: true }).decode(decode(part)),
    );
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/**
 * Verifies a JWT that another party signed. A refusal by the rule `key` can end with a newer set of its keys.
 *
 * @returns `undefined` if it is as expected; what is cheap is checked first
 */
export async function jwtRefusal(
  jwt: UnverifiedJwt,
  keys: KeySet,
  expectations: JwtExpectations,
): Promise<JwtRefusal | undefined> {
  return (
    algorithmRefusal(jwt, expectations) ??
    audienceRefusal(jwt, expectations) ??
    timeRefusal(jwt, expectations) ??
    (await signatureRefusal(jwt, keys))
  );
}

function algorithmRefusal({ header: { alg } }: UnverifiedJwt, { algorithms }: JwtExpectations) {
  if (algorithms.includes(usualName(alg))) return undefined;
  // A text that is no name of an algorithm is not repeated.
  const came = /^[A-Za-z0-9-]{1,20}$/.test(alg) ? alg : 'another text';
  return { rule: 'algorithm', expected: algorithms.join(' or '), came } as const;
}

function audienceRefusal(
  { claims: { aud } }: UnverifiedJwt,
  { audiences }: JwtExpectations,
): JwtRefusal | undefined {
  if (audiences === undefined) return undefined;
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (named.length > 0 && named.every((each) => audiences.some((audience) => audience === each)))
    return undefined;
  const came = aud === undefined ? 'no aud' : 'another audience';
  return { rule: 'audience', expected: `aud ${audiences.join(' or ')}`, came };
}

function timeRefusal({ claims }: UnverifiedJwt, { times }: JwtExpectations): JwtRefusal | undefined {
  if (times === undefined) return undefined;
  const { now, maxLifetime } = times;
  const seconds = Math.floor(now / 1000);
  const refused = (expected: string, came: string) => ({ rule: 'time', expected, came }) as const;
  const { exp, nbf = 0, iat = seconds } = claims;
  const latest = seconds + clockSkew;
  if (!isTime(exp) || !isTime(nbf) || !isTime(iat))
    return refused(
      'exp, and nbf and iat where they are, in seconds since 1970',
      'a missing or malformed time',
    );
  const came = (name: string, time: number) => `${name} ${inWords(time - seconds)}`;
  if (exp <= seconds - clockSkew) return refused('exp after now', came('exp', exp));
  if (exp > latest + maxLifetime) return refused(`exp within ${maxLifetime} s`, came('exp', exp));
  if (nbf > latest) return refused('nbf not after now', came('nbf', nbf));
  if (iat > latest) return refused('iat not after now', came('iat', iat));
  if (iat < latest - 2 * clockSkew - maxLifetime)
    return refused(`iat within the last ${maxLifetime} s`, came('iat', iat));
  return undefined;
}

function inWords(seconds: number): string {
  return seconds < 0 ? `${Math.round(-seconds)} s before now` : `${Math.round(seconds)} s after now`;
}

async function signatureRefusal(
  { text, header: { alg, kid } }: UnverifiedJwt,
  keys: KeySet,
): Promise<JwtRefusal | undefined> {
  const candidates = signatureKeys(keys, alg, kid);
  const key = `key for ${alg}${kid === undefined ? '' : ' with the kid of the header'}`;
  if (candidates.length === 0) return { rule: 'key', expected: `a registered ${key}`, came: 'no such key' };
  if (candidates.length > maxTries) {
    const expected = `a kid in the header that names one key, or ${maxTries} at most`;
    return { rule: 'key', expected, came: `${candidates.length} keys that fit` };
  }
  for (const candidate of candidates) {
    if (await isSignedBy(text, candidate, alg)) return undefined;
  }
  // A key without a name can have been replaced by another one without a name.
  const rule = candidates.some((each) => each.kid !== undefined && each.kid === kid) ? 'signature' : 'key';
  const tried = candidates.length;
  return { rule, expected: `the signature of a registered ${key}`, came: 'another signature', tried };
}

/** Of keys that are in memory for long: registered ones, and those at a URL. */
const known = new WeakMap<ListedKey, Map<SignatureAlgorithm, SignatureCheck>>();

/** A key that cannot be used, such as one whose point is not on its curve, verifies nothing. */
async function isSignedBy(text: string, key: ListedKey, alg: string): Promise<boolean> {
  if (!isSignatureAlgorithm(alg)) return false;
  const checks = known.get(key) ?? new Map<SignatureAlgorithm, SignatureCheck>();
  known.set(key, checks);
  try {
    const isSigned = checks.get(alg) ?? (await signatureCheck(key, alg));
    checks.set(alg, isSigned);
    return await isSigned(text);
  } catch {
    return false;
  }
}

/** A time in epoch seconds (RFC 7519 §2, NumericDate), until the year 5138. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e11;
}
