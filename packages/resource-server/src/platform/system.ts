import { builtinModule, type Fetch, type Platform, platform } from './platform.ts';

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

type Digest = (text: string) => string | Promise<string>;

interface NodeCrypto {
  readonly hash?: (algorithm: string, text: string, encoding: string) => string;
}

/**
 * SHA-256 of a text. Node.js, Deno and Bun compute it at once (about 0.3 us for a token); where there is only
 * `SubtleCrypto`, which browsers have on https and localhost, it takes a turn of the event loop.
 */
export const digest: Digest = nodeDigest() ?? webDigest;

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
  digest,
  warn: (message) => platform.console.warn(message),
};

/** `undefined` where the platform is not like Node.js. */
export function nodeDigest(process: Platform['process'] = platform.process): Digest | undefined {
  const { hash } = builtinModule('node:crypto', process) as NodeCrypto;
  return hash && ((text) => hash('sha256', text, 'latin1'));
}

export async function webDigest(text: string): Promise<string> {
  const { subtle } = platform.crypto ?? {};
  if (subtle === undefined) {
    throw new Error('Expected node:crypto or SubtleCrypto, found neither: serve the page over https');
  }
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new platform.TextEncoder().encode(text)));
  return String.fromCharCode(...bytes);
}
