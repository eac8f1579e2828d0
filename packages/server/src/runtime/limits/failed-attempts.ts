import { crc32 } from 'node:zlib';
import type { AttemptLimiter } from '@watchword/protocol';
import { LRUCache } from 'lru-cache';
import { addressGroup } from './address-group.ts';

export interface FailedAttemptLimits {
  /** Failures per window allowed from one address for one identifier; 0 = no limit. */
  readonly perIdentifier: number;
  /** Failures per window allowed from one address in total; 0 = no limit. */
  readonly perAddress: number;
}

const windowMs = 60_000;
// Limits the memory that a flood of different addresses or identifiers can use.
const maxTracked = 20_000;
const maxIdentifierLength = 255;
const bucketsPerAddress = 64;

interface Count {
  failures: number;
  readonly endsAt: number;
}

/** A failure that counts as several. */
export interface HeldFailure {
  /** Seconds to wait if the address has too many failures, otherwise 0. */
  readonly seconds: number;
  readonly release: () => void;
}

type Counts = LRUCache<string, Count>;

/**
 * Counts failed authentications in windows of a minute, in memory. Over the limit for an identifier the server no longer
 * checks its credentials. Over the limit for an address only failures get the error, so that other clients behind the same
 * address can continue. Time is monotonic: a change of the clock does not reset a limit.
 */
export class FailedAttempts implements AttemptLimiter {
  readonly #limits: FailedAttemptLimits;
  // Made at the first failure, because a cache has its whole memory from the start.
  #byIdentifier: Counts | undefined;
  #byAddress: Counts | undefined;
  // Until then an identifier is at its limit; later nothing is looked up, which takes 2 us of each request.
  #limitedUntil = 0;
  readonly #now: () => number;

  /** @param now monotonic milliseconds */
  constructor(limits: FailedAttemptLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  secondsUntilAllowed(source: string, identifier: string): number {
    const counts = this.#byIdentifier;
    if (counts === undefined || this.#now() >= this.#limitedUntil) return 0;
    const keys = [identifierKey(source, identifier), bucketKey(source, identifier)];
    return Math.max(...keys.map((key) => this.#secondsOver(counts.get(key), this.#limits.perIdentifier)));
  }

  recordFailure(source: string, identifier: string): number {
    return this.hold(source, identifier, 1).seconds;
  }

  /** Counts a failure as several, until `release` leaves one of them. */
  hold(source: string, identifier: string, weight: number): HeldFailure {
    const { perAddress, perIdentifier } = this.#limits;
    this.#byAddress ??= newCounts();
    this.#byIdentifier ??= newCounts();
    const count = this.#increment(this.#byAddress, addressGroup(source), weight);
    const seconds = perAddress === 0 ? 0 : this.#secondsOver(count, perAddress + 1);
    // Over its limit an address shares a few counts, so that it cannot displace the counts of other addresses.
    const key = seconds === 0 ? identifierKey(source, identifier) : bucketKey(source, identifier);
    const ofIdentifier = this.#increment(this.#byIdentifier, key, weight);
    if (ofIdentifier.failures >= perIdentifier)
      this.#limitedUntil = Math.max(this.#limitedUntil, ofIdentifier.endsAt);
    const release = () => {
      for (const held of [count, ofIdentifier]) held.failures -= weight - 1;
    };
    return { seconds, release };
  }

  #increment(counts: Counts, key: string, weight: number): Count {
    const now = this.#now();
    const known = counts.get(key);
    const count = known !== undefined && known.endsAt > now ? known : { failures: 0, endsAt: now + windowMs };
    count.failures += weight;
    counts.set(key, count);
    return count;
  }

  #secondsOver(count: Count | undefined, limit: number): number {
    if (count === undefined || limit <= 0 || count.failures < limit) return 0;
    return Math.max(0, Math.ceil((count.endsAt - this.#now()) / 1000));
  }
}

function newCounts(): Counts {
  return new LRUCache({ max: maxTracked });
}

function identifierKey(source: string, identifier: string): string {
  return `${addressGroup(source)} ${identifier.slice(0, maxIdentifierLength)}`;
}

function bucketKey(source: string, identifier: string): string {
  return `${addressGroup(source)} #${crc32(identifier) % bucketsPerAddress}`;
}
