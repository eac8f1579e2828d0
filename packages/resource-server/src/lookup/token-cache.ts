import type { TokenRejection } from '../errors.ts';
import type { Settings } from '../options.ts';
import type { Clocks } from '../system.ts';
import { isExpired, type TokenInfo } from '../token-info.ts';
import { ageOf, type ClockReading, readClocks } from './clock-reading.ts';
import { LruMap } from './lru-map.ts';
import type { Verified } from './verified.ts';

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
  readonly #accepted: LruMap<Entry<Verified>>;
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
    return readClocks(this.#clocks);
  }

  /** The good answer, while it is younger than `ttl` and not outdated, or known to be valid still, and the token has not expired. */
  fresh(digest: string): TokenInfo | undefined {
    return this.#usable(digest, 0);
  }

  /** The good answer, while it may stand in for a server that does not answer: for `staleIfError` more. */
  stale(digest: string): TokenInfo | undefined {
    return this.#usable(digest, this.#lifetimes.staleIfError);
  }

  /** @param more milliseconds beyond every limit but the expiry of the token */
  #usable(digest: string, more: number): TokenInfo | undefined {
    const entry = this.#accepted.get(digest);
    if (entry === undefined) return undefined;
    const { state, ttl = this.#lifetimes.ttl, isOutdated } = entry.value;
    const now = readClocks(this.#clocks);
    const isUsable =
      state === undefined
        ? ageOf(entry.asked, now) < Math.min(ttl, this.#lifetimes.ttl) + more && isOutdated?.() !== true
        : state(now, more) === 'valid';
    return isUsable ? unlessExpired(entry, now) : undefined;
  }

  rejection(digest: string): TokenRejection | undefined {
    const entry = this.#rejected.get(digest);
    return entry !== undefined && ageOf(entry.asked, readClocks(this.#clocks)) < this.#lifetimes.negativeTtl
      ? entry.value
      : undefined;
  }

  /** Whether the token of an answer has not expired. */
  isValid(value: Verified, asked: ClockReading): boolean {
    return unlessExpired({ value, asked }, readClocks(this.#clocks)) !== undefined;
  }

  accept(digest: string, value: Verified, asked: ClockReading): void {
    this.#rejected.delete(digest);
    if (this.#lifetimes.ttl > 0 || value.state !== undefined) this.#accepted.set(digest, { value, asked });
  }

  reject(digest: string, value: TokenRejection, asked: ClockReading): void {
    this.#accepted.delete(digest);
    if (this.#lifetimes.negativeTtl > 0) this.#rejected.set(digest, { value, asked });
  }

  delete(digest: string): void {
    this.#accepted.delete(digest);
    this.#rejected.delete(digest);
  }
}

function unlessExpired({ value, asked }: Entry<Verified>, now: ClockReading): TokenInfo | undefined {
  const { info, leeway = 0 } = value;
  return isExpired(info, asked.wall + ageOf(asked, now) - leeway) ? undefined : info;
}
