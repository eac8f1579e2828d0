import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import { Ending, keyChangeLimit } from './tokens.ts';

// Milliseconds. The JWKS permits it.
const cacheLifetime = 300_000;

/**
 * The JWKS as clients have it, and what they know of its keys. A client reads it every five minutes, and not for a key that it does not
 * know, unless it has heard that a key is compromised.
 */
export class PublishedKeys {
  readonly #client: Client;
  readonly #ledger: Ledger;
  readonly #issuer: string;
  readonly #endings = new Map<string, Ending>();
  #keys: JSONWebKeySet = { keys: [] };
  #verificationKeys = createLocalJWKSet(this.#keys);
  #readAt = Number.NEGATIVE_INFINITY;
  #isOutdated = false;

  /** @param issuer the `iss` of ID tokens */
  constructor(client: Client, ledger: Ledger, issuer: string) {
    this.#client = client;
    this.#ledger = ledger;
    this.#issuer = issuer;
  }

  /** Reads the JWKS of the next node, as a client does whose copy has expired. */
  async read(node?: number): Promise<readonly string[]> {
    const asked = performance.now();
    const answer = await this.#client.ask({
      kind: 'keys',
      method: 'GET',
      path: '/oauth2/jwks',
      expects: [200],
      node,
    });
    if (answer?.status !== 200) return [];
    this.#keys = answer.json;
    this.#verificationKeys = createLocalJWKSet(this.#keys);
    this.#readAt = asked;
    return this.#names();
  }

  /** The compromise of the key that signed the JWT. */
  endingOf(jwt: string): Ending {
    return this.endingOfKey(decodeProtectedHeader(jwt).kid ?? '');
  }

  endingOfKey(kid: string): Ending {
    const ending = this.#endings.get(kid) ?? new Ending(keyChangeLimit);
    this.#endings.set(kid, ending);
    return ending;
  }

  /** A key is about to be compromised: clients that meet an unknown key read the JWKS. */
  expectCompromise(): void {
    this.#isOutdated = true;
  }

  /**
   * Verifies an ID token as its client does (OpenID Connect Core §3.1.3.7).
   *
   * @param audience the client
   * @param sentAt when the request was sent, by `performance.now()`
   */
  async verify(idToken: unknown, audience: string, sentAt: number): Promise<void> {
    if (typeof idToken !== 'string') return this.#ledger.violate('a client got no ID token');
    const kid = decodeProtectedHeader(idToken).kid ?? '';
    const ending = this.endingOfKey(kid);
    const isUnknown = () => !this.#names().includes(kid);
    const isExpired = performance.now() - this.#readAt > cacheLifetime;
    if (isExpired || (this.#isOutdated && isUnknown())) await this.read();
    if (ending.isCertain(sentAt)) {
      return this.#ledger.violate('an ID token is signed by a key that is compromised', idToken);
    }
    // The JWKS does not have a compromised key any more.
    if (!ending.isImpossible) return;
    try {
      await jwtVerify(idToken, this.#verificationKeys, {
        algorithms: ['ES256'],
        audience,
        issuer: this.#issuer,
        typ: 'JWT',
        clockTolerance: 5,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // A JWKS that no node answered with proves nothing; the next client reads it again.
      if (this.#isOutdated && isUnknown()) return;
      this.#ledger.violate(`a client cannot verify an ID token by its copy of the JWKS: ${reason}`, idToken);
    }
  }

  #names(): readonly string[] {
    return this.#keys.keys.map(({ kid = '' }) => kid);
  }
}
