import {
  type Clock,
  KeyManagementError,
  publishedUntil,
  type SigningAlgorithm,
  type SigningKey,
  type TokenSigner,
  verifiesUntil,
} from '@watchword/protocol';
import type { Custody, SignJws } from './custody.ts';
import type { SigningKeys } from './signing-keys.ts';
import { VerifiedTexts } from './verified-texts.ts';
import { claimsOf, namedKey, verifiedClaims } from './verify-jws.ts';

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
