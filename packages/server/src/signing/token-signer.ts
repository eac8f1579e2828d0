import { hash } from 'node:crypto';
import {
  type Clock,
  type JwtClaims,
  type JwtType,
  KeyManagementError,
  publishedUntil,
  type SigningAlgorithm,
  type SigningKey,
  type TokenSigner,
  verifiesUntil,
} from '@watchword/protocol';
import type { CryptoKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Custody, SignJws } from './custody.ts';
import { loadJose } from './load-jose.ts';
import type { SigningKeys } from './signing-keys.ts';

export interface TokenSignerDependencies {
  readonly keys: SigningKeys;
  readonly custody: Pick<Custody, 'signerOf'>;
  readonly clock: Clock;
  readonly algorithms: readonly SigningAlgorithm[];
  /** Seconds. */
  readonly sessionLifetime: number;
  /** Makes the first key of an algorithm. */
  readonly make: (algorithm: SigningAlgorithm) => Promise<void>;
  /** Reads the keys of other nodes. */
  readonly refresh: () => Promise<unknown>;
}

// Milliseconds. A token with an unknown `kid` can be of a node that has just made a key, or of any caller.
const refreshInterval = 1000;

export function tokenSigner(deps: TokenSignerDependencies): TokenSigner {
  const { keys, clock, algorithms, sessionLifetime } = deps;
  const signers = signersOf(deps.custody);
  const find = findingKeys(deps);
  const verified = new VerifiedTexts();
  const signingKey = async (algorithm: SigningAlgorithm) => {
    if (keys.signing(algorithm) === undefined) await deps.make(algorithm);
    const key = keys.signing(algorithm);
    if (key === undefined) throw new KeyManagementError(`no key of ${algorithm} can sign`);
    return key;
  };
  return {
    algorithms,
    async sign(claims, { algorithm, type }) {
      if (!algorithms.includes(algorithm)) {
        throw new Error(
          `the server does not sign with ${algorithm}: signing.algorithms has ${algorithms.join(', ')}`,
        );
      }
      const key = await signingKey(algorithm);
      const sign = await signers(key);
      const payload = claims instanceof Uint8Array ? claims : Buffer.from(JSON.stringify(claims));
      return sign({ alg: algorithm, typ: type, kid: key.kid }, payload);
    },
    async verify(text, { type, keys: which }) {
      const until = (key: SigningKey) =>
        which === 'published' ? publishedUntil(key) : verifiesUntil(key, sessionLifetime);
      // Resource servers ask about an access token again and again. Other JWTs come once.
      const isRepeated = type === 'at+jwt';
      const verifiedBy = isRepeated ? verified.keyOf(text) : undefined;
      // After any change of the keys this is another object, and the signature is verified again.
      if (verifiedBy !== undefined && keys.find(verifiedBy.kid) === verifiedBy) {
        return clock.now() < until(verifiedBy) ? claimsOf(text) : undefined;
      }
      const named = await namedKey(text);
      if (named?.typ !== type) return undefined;
      const key = await find(named.kid);
      if (key === undefined || named.alg !== key.algorithm) return undefined;
      if (clock.now() >= until(key)) return undefined;
      const claims = await verifiedClaims(text, key, type);
      if (claims !== undefined && isRepeated) verified.add(text, key);
      return claims;
    },
  };
}

/** Opens the private half of a key once. */
function signersOf(custody: TokenSignerDependencies['custody']): (key: SigningKey) => Promise<SignJws> {
  const opened = new Map<string, Promise<SignJws>>();
  return (key) => {
    const known = opened.get(key.kid);
    if (known !== undefined) return known;
    // A key that does not sign any more does not stay in memory.
    for (const [kid] of opened) if (kid !== key.kid && opened.size > 8) opened.delete(kid);
    const signer = custody.signerOf(key);
    opened.set(key.kid, signer);
    signer.catch(() => opened.delete(key.kid));
    return signer;
  };
}

function findingKeys({
  keys,
  clock,
  refresh,
}: TokenSignerDependencies): (kid: string) => Promise<SigningKey | undefined> {
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<unknown> | undefined;
  return async (kid) => {
    const known = keys.find(kid);
    if (known !== undefined) return known;
    const now = clock.now();
    if (Math.abs(now - refreshedAt) >= refreshInterval) {
      refreshedAt = now;
      refreshing = refresh();
    }
    await refreshing;
    return keys.find(kid);
  };
}

// 120 bytes each: a digest, and a reference to the key.
const mostTexts = 20_000;

/**
 * The texts whose signatures were verified, by their SHA-256, with the key that verified each. It holds no text and no claim. Only
 * texts that the server signed get in, so made-up ones displace nothing.
 */
export class VerifiedTexts {
  // Made for the first text, because a cache has its whole memory from the start.
  #keys: LRUCache<string, SigningKey> | undefined;
  readonly #most: number;

  constructor(most: number = mostTexts) {
    this.#most = most;
  }

  keyOf(text: string): SigningKey | undefined {
    return this.#keys?.get(digest(text));
  }

  add(text: string, key: SigningKey): void {
    this.#keys ??= new LRUCache({ max: this.#most });
    this.#keys.set(digest(text), key);
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'latin1');
}

/** What the header of a JWT says of itself. Only a `kid` that names a key of the server means anything. */
interface NamedKey {
  readonly kid: string;
  readonly alg: string | undefined;
  readonly typ: string | undefined;
}

const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/;

/** `undefined` for a text that is no JWS, or that names no key. A JWS has exactly one text. */
async function namedKey(text: string): Promise<NamedKey | undefined> {
  const [, signature = ''] = compactForm.exec(text) ?? [];
  // The decoder ignores white space and the last bits, which no signature protects.
  if (signature === '' || Buffer.from(signature, 'base64url').toString('base64url') !== signature) {
    return undefined;
  }
  const { decodeProtectedHeader } = await loadJose();
  try {
    const { kid, alg, typ } = decodeProtectedHeader(text);
    return typeof kid === 'string' ? { kid, alg, typ } : undefined;
  } catch {
    return undefined;
  }
}

const publicKeys = new WeakMap<SigningKey['publicKey'], Promise<CryptoKey | Uint8Array>>();

/** The claims; `undefined` if the signature is not of this key, by the algorithm of this key. */
async function verifiedClaims(
  text: string,
  { algorithm, publicKey }: SigningKey,
  type: JwtType,
): Promise<JwtClaims | undefined> {
  const { compactVerify, importJWK, JOSEError } = await loadJose();
  const key = publicKeys.get(publicKey) ?? importJWK({ ...publicKey }, algorithm);
  publicKeys.set(publicKey, key);
  try {
    const { payload, protectedHeader } = await compactVerify(text, await key, { algorithms: [algorithm] });
    return protectedHeader.typ === type ? objectIn(payload) : undefined;
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}

/** The claims of a JWT whose signature was verified before. */
export async function claimsOf(text: string): Promise<JwtClaims> {
  const { decodeJwt } = await loadJose();
  return decodeJwt(text);
}

/** A signature of this server is over JSON. */
function objectIn(payload: Uint8Array): JwtClaims {
  return JSON.parse(new TextDecoder().decode(payload));
}
