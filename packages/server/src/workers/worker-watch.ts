import type { Logger } from '../runtime/log/logger.ts';
import type { Order } from './messages.ts';

/** A worker that answers pings while its event loop turns. */
export interface Pinged {
  readonly number: number;
  readonly pid: number | undefined;
  send(order: Order): void;
  /** Ends the process at once. @param reason for the log */
  kill(reason: string): void;
}

// Milliseconds between two pings.
const interval = 5000;
// Pings in a row without an answer: after 10 seconds the server is not ready, after 30 the worker is killed.
const [silentFrom, killedFrom] = [2, 6];

/**
 * Kills workers that hang. It counts pings and not time: if this process was stopped too, such as with its machine, it finds the
 * answers only after its timers.
 */
export class WorkerWatch {
  readonly #logger: Logger;
  /** Pings that each worker has not answered. */
  readonly #unanswered = new Map<Pinged, number>();
  readonly #silent = new Set<Pinged>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @returns ends it */
  start(): () => void {
    const timer = setInterval(() => this.ping(), interval).unref();
    return () => clearInterval(timer);
  }

  add(worker: Pinged): void {
    this.#unanswered.set(worker, 0);
  }

  remove(worker: Pinged): void {
    this.#unanswered.delete(worker);
    this.#silent.delete(worker);
  }

  answered(worker: Pinged): void {
    if (!this.#unanswered.has(worker)) return;
    this.#unanswered.set(worker, 0);
    if (this.#silent.delete(worker)) this.#logger.info(factsOf(worker), 'a worker answers again');
  }

  /** Asks each worker for a sign of life, and tells it how many others give none. */
  ping(): void {
    for (const [worker, unanswered] of this.#unanswered) this.#judge(worker, unanswered);
    for (const [worker, unanswered] of this.#unanswered) {
      this.#unanswered.set(worker, unanswered + 1);
      worker.send({ kind: 'ping', silent: this.#silent.size });
    }
  }

  #judge(worker: Pinged, unanswered: number): void {
    const seconds = (unanswered * interval) / 1000;
    if (unanswered === silentFrom) {
      this.#silent.add(worker);
      this.#logger.warn(
        factsOf(worker),
        `a worker has not answered for ${seconds} s; the server is not ready`,
      );
    } else if (unanswered === killedFrom) {
      this.remove(worker);
      worker.kill(`it did not answer for ${seconds} seconds`);
    }
  }
}

function factsOf({ number, pid }: Pinged) {
  return { worker: number, workerPid: pid };
}
