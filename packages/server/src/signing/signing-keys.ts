import {
  type Clock,
  type PublicKeyMembers,
  publishedUntil,
  rejectedUntil,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeyReader,
  type SigningKeyState,
  signingKeyOf,
  signingKeyState,
} from '@watchword/protocol';

/** A key of a JSON Web Key Set (RFC 7517 §4). */
export interface PublishedKey extends PublicKeyMembers {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly use: 'sig';
}

/** A compromised key, and the epoch seconds after which no token can be valid that it signed. */
export interface RevokedKey {
  readonly kid: string;
  readonly until: number;
}

export interface SigningKeyCount {
  readonly algorithm: SigningAlgorithm;
  readonly state: SigningKeyState;
  readonly keys: number;
}

/** The signing keys of all nodes, in memory. */
export class SigningKeys {
  readonly #store: SigningKeyReader;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #keys: readonly SigningKey[] = [];

  private constructor(store: SigningKeyReader, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  static async open(store: SigningKeyReader, clock: Clock): Promise<SigningKeys> {
    const keys = new SigningKeys(store, clock);
    await keys.read();
    return keys;
  }

  /** Reads the keys of all nodes. */
  async read(): Promise<void> {
    const keys = await this.#store.list();
    if (JSON.stringify(keys) === JSON.stringify(this.#keys)) return;
    this.#keys = keys;
    for (const listener of this.#listeners) listener();
  }

  list(): readonly SigningKey[] {
    return this.#keys;
  }

  find(kid: string): SigningKey | undefined {
    return this.#keys.find((key) => key.kid === kid);
  }

  /** The key that signs now; `undefined` if none can. */
  signing(algorithm: SigningAlgorithm): SigningKey | undefined {
    return signingKeyOf(this.#keys, algorithm, this.#clock.now());
  }

  /** The keys of the JWKS, the one that signs last first. */
  published(): PublishedKey[] {
    const now = this.#clock.now();
    return this.#keys
      .filter((key) => now < publishedUntil(key))
      .map(({ kid, algorithm, publicKey }) => ({ ...publicKey, kid, alg: algorithm, use: 'sig' }));
  }

  /** The compromised keys of tokens that could still be valid. */
  revoked(): RevokedKey[] {
    const now = this.#clock.now();
    return this.#keys.flatMap(({ kid, compromisedAt }) => {
      if (compromisedAt === undefined) return [];
      const until = rejectedUntil(compromisedAt);
      return until <= now ? [] : [{ kid, until: Math.ceil(until / 1000) }];
    });
  }

  counts(): SigningKeyCount[] {
    const now = this.#clock.now();
    const counts = new Map<string, SigningKeyCount>();
    for (const key of this.#keys) {
      const { algorithm } = key;
      const state = signingKeyState(key, now);
      const keys = (counts.get(`${algorithm} ${state}`)?.keys ?? 0) + 1;
      counts.set(`${algorithm} ${state}`, { algorithm, state, keys });
    }
    return [...counts.values()];
  }

  /** Calls back after each change, also of another node. @returns a function that ends it */
  whenChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
