import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { decodedFirst } from './cbor.ts';
import type { Passkey } from './ceremony.ts';
import { PasskeyError } from './passkey-error.ts';

const edDsa = -8;
const es256 = -7;
const rs256 = -257;

/** COSE algorithms, best first. */
export const algorithms = [edDsa, es256, rs256] as const;

type Algorithm = (typeof algorithms)[number];

/** Labels of COSE keys (RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4). */
const label = { kty: 1, alg: 3, curve: -1, x: -2, y: -3, n: -1, e: -2 } as const;

/** Bits of RSA. */
const [leastRsa, mostRsa] = [2048, 8192];

/** The first octet of SubjectPublicKeyInfo, which no COSE key has. */
const sequence = 0x30;

type Jwk = Readonly<Record<'kty', string>> & Readonly<Record<string, string>>;

export interface CheckedKey {
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
}

/**
 * The public key of a passkey of another product, as it is stored here.
 *
 * @param octets a COSE key, or SubjectPublicKeyInfo
 * @throws PasskeyError
 */
export async function importedKey(octets: Uint8Array): Promise<Pick<Passkey, 'publicKey' | 'algorithm'>> {
  const { algorithm, key } =
    octets[0] === sequence ? spkiKey(octets) : readPublicKey(await onlyValue(octets));
  return { publicKey: storedForm(key), algorithm };
}

async function onlyValue(octets: Uint8Array): Promise<unknown> {
  const [value, rest] = await decodedFirst(octets);
  if (rest === 0) return value;
  throw new PasskeyError('form', `expected a COSE key, got ${rest} octets after it`);
}

function spkiKey(octets: Uint8Array): CheckedKey {
  try {
    const key = createPublicKey({ key: Buffer.from(octets), format: 'der', type: 'spki' });
    const kinds = { ed25519: edDsa, ec: es256, rsa: rs256 } as const;
    const algorithm = kinds[key.asymmetricKeyType as keyof typeof kinds];
    const isCurve = algorithm !== es256 || key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    if (algorithm !== undefined && isCurve) return ofGoodLength({ algorithm, key });
  } catch (error) {
    if (error instanceof PasskeyError) throw error;
  }
  throw new PasskeyError('algorithm', 'expected a key for EdDSA, ES256 or RS256');
}

/** @param cose a decoded COSE key @throws PasskeyError */
export function readPublicKey(cose: unknown): CheckedKey {
  if (!(cose instanceof Map)) throw new PasskeyError('form', 'expected a COSE key');
  const algorithm = algorithms.find((each) => each === cose.get(label.alg));
  if (algorithm === undefined) {
    throw new PasskeyError('algorithm', 'expected a key for EdDSA, ES256 or RS256');
  }
  return ofGoodLength({ algorithm, key: keyOf(jwkOf(algorithm, cose)) });
}

function ofGoodLength({ algorithm, key }: CheckedKey): CheckedKey {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && (bits < leastRsa || bits > mostRsa)) {
    throw new PasskeyError('algorithm', `expected ${leastRsa} to ${mostRsa} bits of RSA, got ${bits}`);
  }
  return { algorithm, key };
}

function jwkOf(algorithm: Algorithm, cose: ReadonlyMap<unknown, unknown>): Jwk {
  const octets = (of: number, length?: number) => {
    const value = cose.get(of);
    if (value instanceof Uint8Array && (length === undefined || value.length === length)) {
      return Buffer.from(value).toString('base64url');
    }
    throw mismatch();
  };
  const isKind = (kty: number, curve?: number) =>
    cose.get(label.kty) === kty && (curve === undefined || cose.get(label.curve) === curve);
  if (algorithm === edDsa && isKind(1, 6)) return { kty: 'OKP', crv: 'Ed25519', x: octets(label.x, 32) };
  if (algorithm === es256 && isKind(2, 1)) {
    return { kty: 'EC', crv: 'P-256', x: octets(label.x, 32), y: octets(label.y, 32) };
  }
  if (algorithm === rs256 && isKind(3)) return { kty: 'RSA', n: octets(label.n), e: octets(label.e) };
  throw mismatch();
}

function keyOf(key: Jwk): KeyObject {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    // A point that is not on the curve, for example.
    throw mismatch();
  }
}

function mismatch(): PasskeyError {
  return new PasskeyError('algorithm', 'expected a key of the kind that its algorithm has');
}

export function storedForm(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64url');
}

export function keyFromStored(publicKey: string): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
}

/** Whether the signature of the octets is one of the key (WebAuthn Level 3 §6.5.5). */
export function isSignature(
  signature: Uint8Array,
  signed: Uint8Array,
  { algorithm, key }: { readonly algorithm: number; readonly key: KeyObject },
): boolean {
  return verify(algorithm === edDsa ? null : 'sha256', signed, key, signature);
}
