import { randomFillSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Clock, Random } from '@watchword/protocol';

/** The system: the time of this machine, and its cryptographically secure random numbers. */
export const systemClock: Clock = { now: () => Date.now() };

// One call of the generator for many small requests: each call has a price of its own.
const pool = Buffer.alloc(8192);
let unused = 0;

export const systemRandom: Random = {
  fill(target) {
    if (target.length > unused) {
      randomFillSync(pool);
      unused = pool.length;
    }
    const start = pool.length - unused;
    unused -= target.length;
    pool.copy(target, 0, start, start + target.length);
    // What was handed out is not kept.
    pool.fill(0, start, start + target.length);
  },
};

/** Passwords that may be hashed at a time: each takes a core, of which the rest of the server needs most. */
export function passwordsAtATime(cores = availableParallelism()): number {
  return cores < 4 ? 1 : 2;
}
