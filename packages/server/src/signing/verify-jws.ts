import type { JwtClaims, JwtType, SigningKey } from '@watchword/protocol';
import type { CryptoKey } from 'jose';
import { loadJose } from './load-jose.ts';

/** What the header of a JWT says of itself. Only a `kid` that names a key of the server means anything. */
export interface NamedKey {
  readonly kid: string;
  readonly alg: string | undefined;
  readonly typ: string | undefined;
}

const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/;

/** `undefined` for a text that is no JWS, or that names no key. A JWS has exactly one text. */
export async function namedKey(text: string): Promise<NamedKey | undefined> {
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
export async function verifiedClaims(
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
