import { createPublicKey } from 'node:crypto';
import type { PublicKeyMembers, SigningKey } from '../model/records/signing-key.ts';
import type { SigningAlgorithm } from '../model/signing-algorithm.ts';

/** A key of a JSON Web Key Set (RFC 7517 §4). */
export interface PublishedKey extends PublicKeyMembers {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly use: 'sig';
}

/** The public half only. */
export function publicJwk({ kid, algorithm, publicKey }: SigningKey): PublishedKey {
  return { ...publicKey, kid, alg: algorithm, use: 'sig' };
}

/** The same as PEM (RFC 7468 §13). */
export function publicPem({ publicKey }: SigningKey): string {
  return createPublicKey({ key: { ...publicKey }, format: 'jwk' })
    .export({ format: 'pem', type: 'spki' })
    .toString();
}
