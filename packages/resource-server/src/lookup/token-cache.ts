import type { TokenRejection } from '../errors.ts';
import type { Settings } from '../options.ts';
import type { Clocks } from '../system.ts';
import { isExpired, type TokenInfo } from '../token-info.ts';
import { LruMap } from './lru-map.ts';

/** The same time by both clocks. */
export interface ClockReading {
  /** Epoch milliseconds. */
  readonly wall: number;
  readonly monotonic: number;
}

interface Entry<Value> {
  readonly value: Value;
  /** When the authorization server was asked, not when it answered: from then on a revocation may have happened. */
  readonly asked: ClockReading;
}

/**
 * Answers of the authorization server, by the digests of tokens. Rejections are in a separate map: made-up tokens
 * displace only other rejections.
 */
export class TokenCache {
  readonly #accepted: LruMap<Entry<TokenInfo>>;
  readonly #rejected: LruMap<Entry<TokenRejection>>;
  readonly #lifetimes: Settings['cache'];
  readonly #clocks: Clocks;

  constructor(lifetimes: Settings['cache'], clocks: Clocks) {
    this.#accepted = new LruMap(lifetimes.maxEntries);
    this.#rejected = new LruMap(lifetimes.maxEntries);
    this.#lifetimes = lifetimes;
    this.#clocks = clocks;
  }

  readClocks(): ClockReading {
    return { wall: this.#clocks.now(), monotonic: this.#clocks.monotonic() };
  }

  /** The good answer, while it is younger than `ttl` and the token has not expired. */
  fresh(digest: string): TokenInfo | undefined {
    return this.#acceptedWithin(digest, this.#lifetimes.ttl);
  }

  /** The good answer, while it may stand in for a server that does not answer. */
  stale(digest: string): TokenInfo | undefined {
    return this.#acceptedWithin(digest, this.#lifetimes.ttl + this.#lifetimes.staleIfError);
  }

  rejection(digest: string): TokenRejection | undefined {
    const entry = this.#rejected.get(digest);
    return entry !== undefined && this.#age(entry.asked) < this.#lifetimes.negativeTtl
      ? entry.value
      : undefined;
  }

  /** Whether the token of an answer has not expired. */
  isValid(value: TokenInfo, asked: ClockReading): boolean {
    return !isExpired(value, asked.wall + this.#age(asked));
  }

  accept(digest: string, value: TokenInfo, asked: ClockReading): void {
    this.#rejected.delete(digest);
    if (this.#lifetimes.ttl > 0) this.#accepted.set(digest, { value, asked });
  }

  reject(digest: string, value: TokenRejection, asked: ClockReading): void {
    this.#accepted.delete(digest);
    if (this.#lifetimes.negativeTtl > 0) this.#rejected.set(digest, { value, asked });
  }

  delete(digest: string): void {
    this.#accepted.delete(digest);
    this.#rejected.delete(digest);
  }

  #acceptedWithin(digest: string, lifetime: number): TokenInfo | undefined {
    const entry = this.#accepted.get(digest);
    if (entry === undefined) return undefined;
    const age = this.#age(entry.asked);
    return age < lifetime && !isExpired(entry.value, entry.asked.wall + age) ? entry.value : undefined;
  }

  // The clock of the day may be set back and the monotonic one may stand still while a machine sleeps; the larger
  // difference is the age, so that neither clock prolongs an answer.
  #age(asked: ClockReading): number {
    return Math.max(this.#clocks.now() - asked.wall, this.#clocks.monotonic() - asked.monotonic);
  }
}
