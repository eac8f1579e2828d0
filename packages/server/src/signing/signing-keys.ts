import {
  type Clock,
  type PublishedKey,
  publicJwk,
  publishedUntil,
  rejectedUntil,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeyReader,
  type SigningKeyState,
  signingKeyOf,
  signingKeyState,
  signingKeyStates,
} from '@watchword/protocol';

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
  /** Numbers of reads: the last that began, and the last whose keys are in memory. */
  #begun = 0;
  #taken = 0;

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
    this.#begun += 1;
    const own = this.#begun;
    const keys = await this.#store.list();
    // A slow read must not bring back what a later one has replaced.
    if (own < this.#taken) return;
    this.#taken = own;
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
    return this.#keys.filter((key) => now < publishedUntil(key)).map(publicJwk);
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

  /** @param configured algorithms that are counted also if they have no key */
  counts(configured: readonly SigningAlgorithm[]): SigningKeyCount[] {
    const now = this.#clock.now();
    const algorithms = new Set([...configured, ...this.#keys.map(({ algorithm }) => algorithm)]);
    return [...algorithms].flatMap((algorithm) =>
      signingKeyStates
        .map((state) => {
          const keys = this.#keys.filter(
            (key) => key.algorithm === algorithm && signingKeyState(key, now) === state,
          );
          return { algorithm, state, keys: keys.length };
        })
        // A missing key of another algorithm is no failure.
        .filter(({ keys }) => keys > 0 || configured.includes(algorithm)),
    );
  }

  /** Calls back after each change, also of another node. @returns a function that ends it */
  whenChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
