import type { SigningAlgorithm } from '../signing-algorithm.ts';

/** A public key as a JSON Web Key (RFC 7517 §4): the members of its `kty` (RFC 7518 §6, RFC 8037 §2), and no others. */
export type PublicKeyMembers = Readonly<Record<string, string>>;

/** A key that the server signs JWTs with. Times are epoch milliseconds. */
export interface SigningKey {
  /** Identifies the key (RFC 7517 §4.5). */
  readonly kid: string;
  /** The only algorithm that the key is used with. */
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: PublicKeyMembers;
  /** Where the private half is; `undefined` when it is erased. */
  readonly privateKey: PrivateKey | undefined;
  readonly publishedAt: number;
  /** When it begins to sign. */
  readonly signsFrom: number;
  /** When it ends to sign, which can be in the future; `undefined` if no key follows it yet. */
  readonly retiredAt: number | undefined;
  /** When it was reported that another party can have the private half. */
  readonly compromisedAt: number | undefined;
}

/** The private half of a signing key. */
export type PrivateKey =
  /** In the database, sealed with a key that is not in the database. */
  | { readonly sealed: string }
  /** In a key management system, under this name. */
  | { readonly reference: string };

/** Seconds for which the longest JWT is valid. A key stays published for as long after its last signature. */
export const longestJwtLifetime = 86_400;

/** Seconds for which caches can keep the published keys. */
export const keySetMaxAge = 300;
