import { importJWK } from 'jose/key/import';
import type { Background } from '../platform/background.ts';
import type { System } from '../platform/system.ts';

/** Asymmetric algorithms (RFC 7518 §3.1, RFC 8037 §3.1), with the kind of key that each needs. None works with a shared secret. */
const keyTypes: Readonly<Record<string, string>> = {
  RS256: 'RSA',
  PS256: 'RSA',
  ES256: 'EC',
  EdDSA: 'OKP',
};

type ImportedKey = Exclude<Awaited<ReturnType<typeof importJWK>>, Uint8Array>;
type Jwk = Parameters<typeof importJWK>[0];

/** A public key of the server. It verifies by its own algorithm only. */
export interface VerificationKey {
  readonly algorithm: string;
  /** `undefined` if this platform lacks the algorithm. */
  readonly key: ImportedKey | undefined;
}

/** Milliseconds after which the set is fetched again in the background; servers publish a key earlier than they sign with it. */
const refreshAfter = 300_000;
/** Milliseconds between two fetches that presented tokens can cause. */
export const leastPause = 1000;

interface KeySetDependencies extends Pick<System, 'monotonic' | 'after'> {
  readonly background: Background;
}

interface Fetch {
  readonly done: Promise<void>;
  readonly began: number;
  /** By the monotonic clock. A fetch that has not ended by then is lost. */
  readonly until: number;
}

/**
 * The keys of the server in memory (JWK Set, RFC 7517 §5). A token that names an unknown key waits for one fetch, which all such
 * tokens share, at most one a second. So made-up names cause no more requests than that.
 */
export class KeySet {
  readonly #fetchKeys: () => Promise<readonly unknown[]>;
  readonly #deps: KeySetDependencies;
  readonly #timeout: number;
  readonly #failed: (error: unknown) => void;
  #keys: ReadonlyMap<string, VerificationKey> | undefined;
  #current: Fetch | undefined;
  /** When the fetch began that brought the keys. */
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #beganAt = Number.NEGATIVE_INFINITY;

  /**
   * @param fetchKeys the members of `keys`
   * @param timeout milliseconds after which `fetchKeys` has ended, if it ever does
   * @param failed called for a fetch in the background that failed
   */
  constructor(
    fetchKeys: () => Promise<readonly unknown[]>,
    timeout: number,
    deps: KeySetDependencies,
    failed: (error: unknown) => void,
  ) {
    this.#fetchKeys = fetchKeys;
    this.#timeout = timeout;
    this.#deps = deps;
    this.#failed = failed;
  }

  /**
   * The key of a presented token; `undefined` if a set that was fetched after the call does not have it.
   *
   * @throws AuthorizationServerUnavailable
   */
  async find(kid: string): Promise<VerificationKey | undefined> {
    const known = this.#keys?.get(kid);
    if (known !== undefined) {
      if (this.#deps.monotonic() - this.#fetchedAt > refreshAfter) this.#refresh();
      return known;
    }
    const asked = this.#deps.monotonic();
    await this.#fetchedAfter(asked);
    return this.#keys?.get(kid);
  }

  /** The key of the list of revocations. It is fetched at once. @throws AuthorizationServerUnavailable */
  async findNow(kid: string): Promise<VerificationKey | undefined> {
    if (this.#keys?.has(kid) !== true) await this.#begin().done;
    return this.#keys?.get(kid);
  }

  /** The key is compromised. */
  remove(kid: string): void {
    if (this.#keys?.has(kid) !== true) return;
    this.#keys = new Map([...this.#keys].filter(([name]) => name !== kid));
  }

  /** Resolves when a fetch is done that began after the time. */
  async #fetchedAfter(asked: number): Promise<void> {
    const current = this.#running();
    if (current !== undefined && current.began >= asked) return current.done;
    const wait = this.#beganAt + leastPause - asked;
    if (wait > 0) await new Promise<void>((resolve) => void this.#deps.after(wait, resolve));
    const next = this.#running();
    if (next !== undefined && next.began >= asked) return next.done;
    if (this.#fetchedAt > asked) return;
    return this.#begin().done;
  }

  #refresh(): void {
    const isPaused = this.#deps.monotonic() - this.#beganAt < leastPause;
    if (isPaused || this.#running() !== undefined) return;
    this.#deps.background(() => this.#begin().done.catch(this.#failed));
  }

  #running(): Fetch | undefined {
    return this.#current !== undefined && this.#deps.monotonic() < this.#current.until
      ? this.#current
      : undefined;
  }

  #begin(): Fetch {
    const began = this.#deps.monotonic();
    this.#beganAt = began;
    const done = this.#fetchKeys().then(async (jwks) => {
      const keys = await importKeys(jwks);
      if (began < this.#fetchedAt) return;
      this.#keys = keys;
      this.#fetchedAt = began;
    });
    const fetch = { began, until: began + this.#timeout, done };
    this.#current = fetch;
    const end = () => {
      if (this.#current === fetch) this.#current = undefined;
    };
    done.then(end, end);
    return fetch;
  }
}

async function importKeys(jwks: readonly unknown[]): Promise<ReadonlyMap<string, VerificationKey>> {
  const keys = new Map<string, VerificationKey>();
  for (const jwk of jwks) {
    const { kid, alg, kty, use = 'sig' } = Object(jwk) as Jwk;
    const isUsable =
      typeof kid === 'string' &&
      typeof alg === 'string' &&
      Object.hasOwn(keyTypes, alg) &&
      keyTypes[alg] === kty &&
      use === 'sig';
    if (isUsable && !keys.has(kid)) keys.set(kid, { algorithm: alg, key: await imported(jwk as Jwk, alg) });
  }
  return keys;
}

async function imported(jwk: Jwk, algorithm: string): Promise<ImportedKey | undefined> {
  try {
    const key = await importJWK(jwk, algorithm);
    return key instanceof Uint8Array ? undefined : key;
  } catch {
    return undefined;
  }
}
