import type { TokenRejection } from '../errors.ts';
import type { Settings } from '../options/options.ts';
import { ageOf, type ClockReading, readClocks } from '../platform/clock-reading.ts';
import type { Clocks } from '../platform/system.ts';
import { isExpired, type TokenInfo } from '../token-info.ts';
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

interface Link<Value> {
  readonly key: string;
  value: Value;
  older: Link<Value> | undefined;
  newer: Link<Value> | undefined;
}

/**
 * A map of limited size. The entry that was unused for the longest time is removed first. Its order is a separate list,
 * because moving an entry of a `Map` to its end by deleting and setting it costs over a microsecond where there are few.
 */
export class LruMap<Value> {
  readonly #entries = new Map<string, Link<Value>>();
  readonly #maxEntries: number;
  #oldest: Link<Value> | undefined;
  #newest: Link<Value> | undefined;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#use(entry);
    return entry.value;
  }

  set(key: string, value: Value): void {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      if (this.#oldest !== undefined && this.#entries.size >= this.#maxEntries) this.delete(this.#oldest.key);
      entry = { key, value, older: undefined, newer: undefined };
      this.#entries.set(key, entry);
    }
    entry.value = value;
    this.#use(entry);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  #use(entry: Link<Value>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    entry.older = this.#newest;
    if (this.#newest !== undefined) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  /** Takes an entry out of the order; one that is not in it has no neighbours. */
  #unlink(entry: Link<Value>): void {
    const { older, newer } = entry;
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    if (entry === this.#oldest) this.#oldest = newer;
    if (entry === this.#newest) this.#newest = older;
    entry.older = undefined;
    entry.newer = undefined;
  }
}
