import type { ServerStore } from '@watchword/store-sql';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';

// Milliseconds until the start is complete, because the start itself needs the processor.
const settling = 2000;

/** Reads the whole database once, soon after the start, to find damage. @returns a function that stops it */
export function startExamination(
  examine: NonNullable<ServerStore['examine']>,
  logger: Logger,
  metrics: Metrics,
): () => void {
  const stop = new AbortController();
  const timer = setTimeout(async () => {
    const { outcome, findings } = await examine(stop.signal);
    if (stop.signal.aborted) return;
    metrics.examined(outcome === 'damaged');
    if (outcome === 'damaged') logger.error({ findings }, advice.damaged);
    else if (outcome === 'unfinished') logger.warn({ findings }, advice.unfinished);
    else logger.debug('the database has no damage');
  }, settling);
  timer.unref();
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

const advice = {
  damaged:
    'the database is damaged, so /readyz answers 503: find the extent with "watchword check", and restore the last backup with "watchword restore"',
  unfinished:
    'the check of the database was not completed: run "watchword check" to find out whether it is damaged',
};
