import type { Logger } from '../log/logger.ts';
import type { UnderLease } from './lease.ts';

/** Seconds. */
export const flushInterval = 60;
// Seconds for which a node waits at most for the turns of others, before it tries again.
const longestTurn = 4;

/**
 * Stores what is counted in memory at an interval until the returned function is called, which does it a last time. The nodes take turns,
 * because they update the same rows. At the end a node does not wait for its turn.
 */
export function startFlushing(
  flush: () => Promise<void>,
  underLease: UnderLease,
  logger: Logger,
): () => Promise<void> {
  const onError = (error: unknown) => {
    logger.error(
      { err: error },
      'the counts of issued tokens and the last uses of secrets could not be stored; the server tries again in a minute',
    );
  };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const schedule = (seconds: number) => {
    if (!isStopped) timer = setTimeout(run, seconds * 1000).unref();
  };
  const run = async () => {
    let isDone = true;
    try {
      isDone = await underLease('issued-counts', flush);
    } catch (error) {
      onError(error);
    }
    // Nodes that were started together meet each other every minute, so they wait for different times.
    schedule(isDone ? flushInterval : 1 + longestTurn * Math.random());
  };
  schedule(flushInterval);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return flush().catch(onError);
  };
}

// Stored by one transaction, for which commits of tokens wait.
const rowsAtATime = 1000;

/** Stores what was counted in memory. Each row that cannot be stored is kept for the next attempt. */
export async function storeInParts<Row>(
  rows: Row[],
  store: (part: readonly Row[]) => Promise<void>,
  keep: (row: Row) => void,
): Promise<void> {
  while (rows.length > 0) {
    const part = rows.splice(-rowsAtATime);
    try {
      await store(part);
    } catch (error) {
      for (const row of [...rows, ...part]) keep(row);
      throw error;
    }
  }
}
