import type { Logger } from '../runtime/log/logger.ts';
import type { ServerFacts } from './messages.ts';
import { WorkerError } from './worker-error.ts';
import type { WorkerEnd, WorkerProcess } from './worker-process.ts';

export interface SupervisorOptions {
  /** Number of workers. */
  readonly count: number;
  readonly logger: Logger;
  /** Starts the process of a worker. */
  start(number: number, isFirst: boolean): WorkerProcess;
  /** The worker can answer requests. Called after all workers of the start are ready. */
  onReady(worker: WorkerProcess): void;
  onEnd(worker: WorkerProcess): void;
}

// Starts that fail in a row while no worker answers. Then the server ends, as one without workers does when it cannot start.
const maxFailedStarts = 5;

/** Starts the workers, and another one in the place of each that ends. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #running = new Set<WorkerProcess>();
  readonly #ready = new Set<WorkerProcess>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  /** Workers that ended early in a row, by number. */
  readonly #failures = new Map<number, number>();
  readonly #failed = Promise.withResolvers<never>();
  #failedStarts = 0;
  #restarted = 0;
  #isEnding = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#failed.promise.catch(() => {});
  }

  /** Workers that can answer requests. */
  get ready(): readonly WorkerProcess[] {
    return [...this.#ready];
  }

  /** Workers that were started in the place of others. */
  get restarted(): number {
    return this.#restarted;
  }

  /** Rejects with a WorkerError when the server cannot go on. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /**
   * Starts the first worker, which prepares the database, and then the others at the same time.
   *
   * @throws WorkerError if one of them cannot start; then all have ended
   */
  async start(): Promise<ServerFacts> {
    try {
      const first = this.#startWorker(1, true);
      const facts = await first.ready;
      const others = Array.from({ length: this.#options.count - 1 }, (_, index) =>
        this.#startWorker(index + 2, false),
      );
      await Promise.all(others.map(({ ready }) => ready));
      for (const worker of [first, ...others]) this.#watch(worker);
      return facts;
    } catch (error) {
      await this.kill();
      throw error;
    }
  }

  /** Asks all workers to end. Resolves when they have ended, with whether each ended in order. */
  async end(reason: string): Promise<boolean> {
    this.#stopRestarts();
    const ends = [...this.#running].map((worker) => {
      worker.send({ kind: 'end', reason });
      return worker.ended;
    });
    return (await Promise.all(ends)).every(({ code }) => code === 0);
  }

  /** Ends all workers at once. */
  async kill(): Promise<void> {
    this.#stopRestarts();
    const ends = [...this.#running].map((worker) => {
      worker.kill();
      return worker.ended;
    });
    await Promise.all(ends);
  }

  #stopRestarts(): void {
    this.#isEnding = true;
    for (const restart of this.#restarts) clearTimeout(restart);
  }

  #startWorker(number: number, isFirst: boolean): WorkerProcess {
    const worker = this.#options.start(number, isFirst);
    this.#running.add(worker);
    worker.ended.then(() => this.#running.delete(worker));
    return worker;
  }

  /** From now on another worker replaces this one when it ends. */
  #watch(worker: WorkerProcess): void {
    let since: number | undefined;
    worker.ready.then(
      () => {
        since = performance.now();
        this.#failedStarts = 0;
        this.#ready.add(worker);
        this.#options.logger.info({ worker: worker.number, workerPid: worker.pid }, 'a worker is ready');
        this.#options.onReady(worker);
      },
      // Its end is handled below.
      () => {},
    );
    worker.ended.then((end) => {
      this.#ready.delete(worker);
      this.#options.onEnd(worker);
      if (!this.#isEnding) this.#replace(worker, end, since === undefined ? 0 : performance.now() - since);
    });
  }

  #replace({ number, pid }: WorkerProcess, { code, signal, error }: WorkerEnd, lived: number): void {
    const failures = code === 0 ? 0 : failuresAfter(this.#failures.get(number) ?? 0, lived);
    this.#failures.set(number, failures);
    const facts = {
      worker: number,
      workerPid: pid,
      ...(code !== null && { exitCode: code }),
      ...(signal !== null && { signal }),
      ...(error && { reason: error.message }),
    };
    if (code === 0) this.#options.logger.info(facts, 'a worker has ended; another one starts in its place');
    else this.#options.logger.error(facts, 'a worker failed; another one starts in its place');
    if (lived === 0) this.#failedStarts += 1;
    if (this.#ready.size === 0 && this.#failedStarts >= maxFailedStarts) {
      this.#failed.reject(error ?? new WorkerError(hopeless, 1));
      return;
    }
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#restarted += 1;
      this.#watch(this.#startWorker(number, false));
    }, restartDelay(failures));
    this.#restarts.add(restart);
  }
}

const hopeless = `No worker is left, and ${maxFailedStarts} in a row ended before they could answer requests. The log has the end of each.`;

// Milliseconds.
const first = 100;
const longest = 10_000;
// A worker that has answered requests for so long ended for another reason than the worker before.
const steady = 60_000;

/**
 * Milliseconds until another worker starts in the place of one that has ended.
 *
 * @param failures how many ended early in a row, with this one
 */
export function restartDelay(failures: number): number {
  return failures <= 1 ? 0 : Math.min(first * 2 ** (failures - 2), longest);
}

/** @param failures of the workers before it @param lived milliseconds for which it was ready, 0 if it never was */
export function failuresAfter(failures: number, lived: number): number {
  return lived >= steady ? 1 : failures + 1;
}
