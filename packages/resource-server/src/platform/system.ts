import { sha256 } from '@watchword/proofs';
import { type Fetch, platform } from './platform.ts';

/** Both clocks of a machine: the one that people set, and the one that only goes forward. */
export interface Clocks {
  /** Epoch milliseconds; may jump. */
  now(): number;
  /** Milliseconds since a fixed time; never goes back, may stand still while the machine sleeps. */
  monotonic(): number;
}

export interface Timers {
  /** Calls back once after so many milliseconds, unless the function that it returns is called before. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** What the verifier asks of the machine it runs on. */
export interface System extends Clocks, Timers {
  readonly fetch: Fetch;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** A digest of a token, to know it again by. At once where the platform can. */
  digest(token: string): string | Promise<string>;
  warn(message: string): void;
}

export const system: System = {
  now: () => Date.now(),
  monotonic: () => platform.performance.now(),
  after(milliseconds, callback) {
    const timer = platform.setTimeout(callback, milliseconds);
    return () => platform.clearTimeout(timer);
  },
  // Looked up at each call: tracing tools and tests replace it.
  fetch: (url, init) => platform.fetch(url, init),
  random: () => Math.random(),
  digest: sha256,
  warn: (message) => platform.console.warn(message),
};
