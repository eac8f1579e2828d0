import { randomUUID } from 'node:crypto';
import type { ListedKey } from '@watchword/protocol';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { rsaKey } from './rsa-key.ts';

type Members = Readonly<Record<string, unknown>>;

export interface AssertionParts {
  readonly clientId: string;
  /** Of the server. */
  readonly issuer: string;
  /** Epoch milliseconds. Default: the time of the machine. */
  readonly now?: number;
  /** In place of the right members, also with wrong ones; `undefined` leaves one out. */
  readonly header?: Members;
  readonly claims?: Members;
}

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A key of a client, with which it authenticates (RFC 7523). */
export class ClientKey {
  readonly algorithm: string;
  readonly jwk: ListedKey;
  readonly privateKey: CryptoKey;

  private constructor(algorithm: string, jwk: ListedKey, privateKey: CryptoKey) {
    this.algorithm = algorithm;
    this.jwk = jwk;
    this.privateKey = privateKey;
  }

  static async create(algorithm = 'ES256', kid?: string): Promise<ClientKey> {
    const privateKey = /^[PR]S/.test(algorithm)
      ? ((await importJWK(await exportJWK(rsaKey('client', 2048)), algorithm, {
          extractable: true,
        })) as CryptoKey)
      : (await generateKeyPair(algorithm, { extractable: true })).privateKey;
    const { d, p, q, dp, dq, qi, ...jwk } = await exportJWK(privateKey);
    return new ClientKey(algorithm, { ...(jwk as ListedKey), ...(kid !== undefined && { kid }) }, privateKey);
  }

  sign(claims: Members, header: Members = {}): Promise<string> {
    const { kid } = this.jwk;
    return new SignJWT(claims)
      .setProtectedHeader({ alg: this.algorithm, ...(kid !== undefined && { kid }), ...header })
      .sign(this.privateKey);
  }

  /** A new assertion, as the parameter `client_assertion`. */
  assertion({ clientId, issuer, now = Date.now(), header, claims }: AssertionParts): Promise<string> {
    const iat = Math.floor(now / 1000);
    const usual = { iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), iat, exp: iat + 60 };
    return this.sign({ ...usual, ...claims }, header);
  }

  /** The parameters of a request that authenticates with a new assertion. */
  async form(parts: AssertionParts): Promise<{ client_assertion_type: string; client_assertion: string }> {
    return { client_assertion_type: assertionType, client_assertion: await this.assertion(parts) };
  }
}
