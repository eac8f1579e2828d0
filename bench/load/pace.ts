/** Does one operation, such as a request, on a connection of its own. */
export type Worker = () => Promise<void>;

export interface Load {
  readonly done: number;
  readonly perSecond: number;
  /** Milliseconds of an operation. */
  readonly p50: number;
  readonly p99: number;
  /** Requests of an operation. Default: 1. */
  readonly requestsEach?: number;
}

/** Each worker begins its next operation as soon as it has done one. A latency is the time of the operation. */
export async function asFastAsPossible(workers: readonly Worker[], forMs: number): Promise<Load> {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + forMs;
  await Promise.all(
    workers.map(async (work) => {
      let now = performance.now();
      while (now < end) {
        await work();
        const finished = performance.now();
        latencies.push(finished - now);
        now = finished;
      }
    }),
  );
  return loadOf(latencies, started);
}

/**
 * Operations begin at a fixed rate, whether earlier ones are done or not. One that finds no idle worker waits for one. A latency counts
 * from when the operation was to begin, so it has this wait too: a server that pauses is not spared the operations that
 * would have come meanwhile.
 *
 * @param isApart the generator has a core of its own. Then it watches the clock without a pause; otherwise it would take the core from the
 *   server, and looks once a millisecond
 */
export async function atFixedRate(
  workers: readonly Worker[],
  perSecond: number,
  forMs: number,
  isApart: boolean,
): Promise<Load> {
  const latencies: number[] = [];
  const idle = [...workers];
  const total = Math.max(1, Math.floor((perSecond * forMs) / 1000));
  const started = performance.now();
  const finished = Promise.withResolvers<void>();
  let begun = 0;
  let failed = false;
  const begin = async (work: Worker, intended: number) => {
    try {
      await work();
    } catch (error) {
      failed = true;
      finished.reject(error);
    }
    latencies.push(performance.now() - intended);
    if (latencies.length === total) finished.resolve();
    idle.push(work);
    beginDue();
  };
  const beginDue = () => {
    const due = Math.min(total, Math.floor(((performance.now() - started) * perSecond) / 1000) + 1);
    while (begun < due && !failed) {
      // The one that has waited longest, so that each has its turn.
      const work = idle.shift();
      if (work === undefined) return;
      void begin(work, started + (begun * 1000) / perSecond);
      begun += 1;
    }
  };
  while (begun < total && !failed) {
    beginDue();
    await new Promise<void>((resolve) => (isApart ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
  await finished.promise;
  return loadOf(latencies, started);
}

function loadOf(latencies: readonly number[], started: number): Load {
  const seconds = (performance.now() - started) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { done: sorted.length, perSecond: sorted.length / seconds, p50: quantile(0.5), p99: quantile(0.99) };
}
