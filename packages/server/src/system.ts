import { randomFillSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Clock, Random } from '@watchword/protocol';

/** The system: the time of this machine, and its cryptographically secure random numbers. */
export const systemClock: Clock = { now: () => Date.now() };

// One call of the generator serves many small requests, because each call has a fixed cost.
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
    // Issued random bytes are not kept in memory.
    pool.fill(0, start, start + target.length);
  },
};

/** Number of passwords that are hashed at the same time. Each uses a core, and the rest of the server needs most cores. */
export function passwordsAtATime(cores = availableParallelism()): number {
  return cores < 4 ? 1 : 2;
}
