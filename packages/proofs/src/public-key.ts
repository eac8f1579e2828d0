import { ProofError, shown } from './proof-error.ts';
import { sha256 } from './sha256.ts';

/** What each algorithm asks of a key (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2). None works with a shared secret. */
export const keyKinds = {
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
  PS256: { kty: 'RSA' },
  PS384: { kty: 'RSA' },
  PS512: { kty: 'RSA' },
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
} as const satisfies Readonly<Record<string, { readonly kty: string; readonly crv?: string }>>;

export type SignatureAlgorithm = keyof typeof keyKinds;

/** A smaller key is weak (RFC 7518 §3.3, §3.5); a signature by a larger one takes too long to verify. The key services of clouds make none. */
export const rsaBits = { least: 2048, most: 4096 };

/** All algorithms of signatures that can be verified. */
export const signatureAlgorithms = Object.keys(keyKinds) as readonly SignatureAlgorithm[];

export function isSignatureAlgorithm(value: unknown): value is SignatureAlgorithm {
  return typeof value === 'string' && Object.hasOwn(keyKinds, value);
}

/**
 * The members that make a public key, in their order (RFC 7638 §3.2), with the most characters of each: a modulus of 4096 bits, an exponent
 * of 32.
 */
const members = {
  EC: { crv: 5, kty: 2, x: 88, y: 88 },
  OKP: { crv: 7, kty: 3, x: 43 },
  RSA: { e: 6, kty: 3, n: 683 },
} as const;

/** RFC 7518 §6.2.2, §6.3.2, §6.4; RFC 9864 `priv`. */
export const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** A public key, of the members alone that its thumbprint covers, in their order. */
export type PublicJwk = { readonly kty: string } & Readonly<Record<string, string>>;

/** @throws ProofError `key` */
export function readPublicJwk(value: unknown, algorithm: SignatureAlgorithm): PublicJwk {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProofError('key', shown(value), 'a JSON Web Key');
  }
  const jwk = value as Readonly<Record<string, unknown>>;
  const secret = secretMembers.find((name) => name in jwk);
  if (secret !== undefined) throw new ProofError('key', `a key with the member ${secret}`, 'no secret');
  const kind: { readonly kty: keyof typeof members; readonly crv?: string } = keyKinds[algorithm];
  const expected = kind.crv === undefined ? kind.kty : `${kind.kty} ${kind.crv}`;
  if (jwk.kty !== kind.kty || (kind.crv !== undefined && jwk.crv !== kind.crv)) {
    const came = [jwk.kty, ...(jwk.crv === undefined ? [] : [jwk.crv])].map(shown).join(' ');
    throw new ProofError('key', came, `${expected} for ${algorithm}`);
  }
  const found = Object.entries(members[kind.kty]).map(([name, most]) => {
    const text = jwk[name];
    if (typeof text !== 'string' || text.length === 0 || text.length > most) {
      const came = typeof text === 'string' ? `${text.length} characters` : shown(text);
      throw new ProofError('key', came, `1 to ${most} characters of ${name}`);
    }
    return [name, text];
  });
  return Object.fromEntries(found);
}

/** RFC 7638. */
export function thumbprint(jwk: PublicJwk): string | Promise<string> {
  return sha256(JSON.stringify(jwk));
}
