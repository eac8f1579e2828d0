import type { Session, SessionPool } from '../connection/session.ts';

/** A part of the connections of a pool. Callers beyond the limit wait here, in order, and keep no connection from other work. */
export function limitedPool(pool: SessionPool, limit: number): SessionPool {
  const waiting: (() => void)[] = [];
  let inUse = 0;
  return {
    async use<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
      if (inUse >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
      else inUse += 1;
      try {
        return await pool.use(work);
      } finally {
        // The next caller takes the place of this one.
        const next = waiting.shift();
        if (next === undefined) inUse -= 1;
        else next();
      }
    },
  };
}
