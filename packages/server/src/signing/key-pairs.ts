import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKeyMembers, SigningAlgorithm } from '@watchword/protocol';
import type { JWK } from 'jose';
import { loadJose } from './load-jose.ts';

/** Bits of the keys that the server makes. */
const modulusLength = 2048;

/** A new key pair. The private half is PEM (PKCS #8). */
export interface KeyPair {
  readonly publicKey: PublicKeyMembers;
  readonly privateKey: string;
}

export type MakeKeyPair = (algorithm: SigningAlgorithm) => Promise<KeyPair>;

/** RSA keys are made in the thread pool: it takes a part of a second. */
export async function makeKeyPair(algorithm: SigningAlgorithm): Promise<KeyPair> {
  const { exportJWK, exportPKCS8, generateKeyPair } = await loadJose();
  const pair = await generateKeyPair(algorithm, { modulusLength, extractable: true });
  return {
    publicKey: membersOf(await exportJWK(pair.publicKey)),
    privateKey: await exportPKCS8(pair.privateKey),
  };
}

const memberNames: Readonly<Record<string, readonly string[]>> = {
  RSA: ['kty', 'n', 'e'],
  EC: ['kty', 'crv', 'x', 'y'],
  OKP: ['kty', 'crv', 'x'],
};

/** The members of the public half only, whatever else the key has. */
export function membersOf(key: JWK): PublicKeyMembers {
  const members = Object.entries(key).filter(
    ([name, value]) => memberNames[String(key.kty)]?.includes(name) && typeof value === 'string',
  );
  return Object.fromEntries(members) as PublicKeyMembers;
}

/** Algorithms that a key can be used with, and why it cannot be used if there are none. */
export function algorithmsOf(key: KeyObject): readonly SigningAlgorithm[] | string {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength: bits = 0, namedCurve } = {} } = key;
  if (type === 'ed25519') return ['EdDSA'];
  if (type === 'ec') {
    return namedCurve === 'prime256v1' ? ['ES256'] : `expected the curve P-256, got ${namedCurve}`;
  }
  if (type !== 'rsa') return `expected an RSA, P-256 or Ed25519 key, got ${type}`;
  return bits < modulusLength
    ? `expected an RSA key of ${modulusLength} bits or more, got ${bits}`
    : ['RS256', 'PS256'];
}

/** A key that the operator brings. */
export interface ReadKey {
  readonly key: KeyObject;
  /** The `kid` and `alg` of a JSON Web Key; PEM has none. */
  readonly kid: string | undefined;
  readonly alg: string | undefined;
}

/** Reads a private key as PEM or as a JSON Web Key. `undefined` if the text is neither. */
export function readPrivateKey(text: string): ReadKey | undefined {
  try {
    if (!text.trimStart().startsWith('{')) {
      return { key: createPrivateKey(text), kid: undefined, alg: undefined };
    }
    const jwk = JSON.parse(text);
    const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
    return { key: createPrivateKey({ key: jwk, format: 'jwk' }), kid: textOf(jwk.kid), alg: textOf(jwk.alg) };
  } catch {
    return undefined;
  }
}

export function pairOf(privateKey: KeyObject): KeyPair {
  return {
    publicKey: membersOf(createPublicKey(privateKey).export({ format: 'jwk' }) as JWK),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}
