import type { Logger } from '../runtime/log/logger.ts';

/** Logs a request that failed by no fault of its client. */
export type LogFailure = (error: unknown, requestId: string) => void;

/** A reason of the current second, and what came after its first line. */
interface Repeated {
  error: unknown;
  requestId: string;
  count: number;
}

// Milliseconds.
const interval = 1000;
// More reasons at once are counted with the last one.
const maxReasons = 20;

/**
 * Logs the first request that fails for a reason at once, and those that follow with one line a second, which has their number. While
 * the disk is full or the database does not answer, every request fails for the same reason: a line with its stack for each would
 * fill the disk of the log too.
 *
 * @param later calls back after an interval
 */
export function failedRequests(
  logger: Pick<Logger, 'error'>,
  later: (work: () => void) => void = (work) => setTimeout(work, interval).unref(),
): LogFailure {
  const reasons = new Map<string, Repeated>();
  const logRepeated = () => {
    for (const [reason, { error, requestId, count }] of reasons) {
      if (count === 0) reasons.delete(reason);
      else {
        logger.error({ err: error, requestId, count }, 'more requests failed for the same reason');
        reasons.set(reason, { error, requestId, count: 0 });
      }
    }
    if (reasons.size > 0) later(logRepeated);
  };
  return (error, requestId) => {
    const reason = reasonOf(error);
    const repeated = reasons.get(reason) ?? (reasons.size === maxReasons ? lastOf(reasons) : undefined);
    if (repeated !== undefined) {
      Object.assign(repeated, { error, requestId, count: repeated.count + 1 });
      return;
    }
    logger.error({ err: error, requestId }, 'a request failed');
    if (reasons.size === 0) later(logRepeated);
    reasons.set(reason, { error, requestId, count: 0 });
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function lastOf(reasons: ReadonlyMap<string, Repeated>): Repeated | undefined {
  return [...reasons.values()].at(-1);
}
