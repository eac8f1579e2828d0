import { setTimeout as pause } from 'node:timers/promises';
import type { Replica } from '@watchword/store-sql';
import type { UnderLease } from './lease.ts';
import type { Logger } from './logger.ts';

// Milliseconds between two heartbeats. A replica is read while the last one that it has is younger than 500 ms.
const interval = 150;
// Milliseconds after which a node without the lease tries to get it. Until then the primary answers.
const retry = 1000;

export interface HeartbeatDependencies {
  readonly replica: Pick<Replica, 'beat'>;
  readonly underLease: UnderLease;
  readonly logger: Logger;
}

/** Writes the heartbeat for replicas while this node has the lease, until the returned function is called. */
export function startHeartbeat({ replica, underLease, logger }: HeartbeatDependencies): () => Promise<void> {
  const stopped = new AbortController();
  const rest = (milliseconds: number) =>
    pause(milliseconds, undefined, { ref: false, signal: stopped.signal }).catch(() => {});

  const beatUntil = async (lost: AbortSignal) => {
    while (!lost.aborted && !stopped.signal.aborted) {
      await replica.beat();
      await rest(interval);
    }
  };
  const run = async () => {
    while (!stopped.signal.aborted) {
      await underLease('replica-heartbeat', beatUntil).catch((error: unknown) => {
        logger.warn(
          { err: error },
          'the heartbeat for replicas could not be written; the primary answers until it can',
        );
      });
      await rest(retry);
    }
  };
  const running = run();
  return () => {
    stopped.abort();
    return running;
  };
}
