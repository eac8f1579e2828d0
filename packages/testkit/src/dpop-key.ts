import { createHash, randomUUID } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import { rsaKey } from './rsa-key.ts';

/** What a proof says; all but the request can be left out. */
export interface ProofParts {
  readonly method?: string;
  readonly url: string;
  readonly accessToken?: string;
  readonly nonce?: string;
  /** In place of the right members, also with wrong ones; `undefined` leaves one out. */
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A client with a key for DPoP proofs (RFC 9449). */
export class DpopKey {
  readonly algorithm: string;
  readonly jwk: JWK;
  /** Thumbprint of the key. */
  readonly jkt: string;
  readonly privateKey: CryptoKey;

  private constructor(algorithm: string, jwk: JWK, jkt: string, privateKey: CryptoKey) {
    this.algorithm = algorithm;
    this.jwk = jwk;
    this.jkt = jkt;
    this.privateKey = privateKey;
  }

  static async create(algorithm = 'ES256'): Promise<DpopKey> {
    const privateKey = /^[PR]S/.test(algorithm)
      ? ((await importJWK(await exportJWK(rsaKey('dpop', 2048)), algorithm, {
          extractable: true,
        })) as CryptoKey)
      : (await generateKeyPair(algorithm, { extractable: true })).privateKey;
    const { d, p, q, dp, dq, qi, ...jwk } = await exportJWK(privateKey);
    return new DpopKey(algorithm, jwk, await calculateJwkThumbprint(jwk), privateKey);
  }

  /** A new proof, as the value of a header `DPoP`. */
  proof({ method = 'GET', url, accessToken, nonce, header, claims }: ProofParts): Promise<string> {
    const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url');
    const iat = Math.floor(Date.now() / 1000);
    return new SignJWT({
      jti: randomUUID(),
      htm: method,
      htu: url.replace(/[?#].*/, ''),
      iat,
      ath,
      nonce,
      ...claims,
    })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: this.algorithm, jwk: this.jwk, ...header } as never)
      .sign(this.privateKey);
  }
}
