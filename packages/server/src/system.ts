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

/**
 * Number of passwords that a process hashes at the same time. Each uses a core, and the rest of the server needs most cores.
 *
 * @param processes of this machine among which the number is divided
 */
export function passwordsAtATime(processes: number, cores = availableParallelism()): number {
  return cores < 4 || processes > 1 ? 1 : 2;
}

/** Number of threads in which Node.js hashes, and also reads files and resolves names (libuv: 4, unless the environment says otherwise). */
export function threads(size = process.env.UV_THREADPOOL_SIZE): number {
  const wanted = Number.parseInt(size ?? '4', 10);
  return Math.min(Math.max(wanted || 1, 1), 1024);
}
