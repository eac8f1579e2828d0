import { performance } from 'node:perf_hooks';
import type { RequestError, RequestErrorStore } from '@watchword/protocol';
import type { Logger } from '../log/logger.ts';

const intervalMs = 1000;
const batchSize = 100;
const storedOfClient = 1000;
// Part of the time. Above it, token requests need the process.
const busyUtilization = 0.95;

/**
 * Stores errors of authenticated clients, at most one commit of 100 errors a second. Errors that come faster, or while a
 * commit is under way, or while the process is busy, are dropped and counted: they are still in memory.
 */
export class RequestErrorWriter {
  readonly #store: Pick<RequestErrorStore, 'append'>;
  #pending: RequestError[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #onError: (error: unknown) => void = () => {};

  constructor(store: Pick<RequestErrorStore, 'append'>) {
    this.#store = store;
  }

  /** Number of errors that were not stored since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  add(error: RequestError): void {
    if (this.#pending.length >= batchSize) this.#dropped += 1;
    else this.#pending.push(error);
    this.#timer ??= this.#wait();
  }

  /** The returned function stores the rest, and resolves when no commit is under way any more. */
  start(logger: Logger): () => Promise<void> {
    this.#onError = (error) => logger.warn({ err: error }, 'errors of requests could not be stored');
    return async () => {
      clearTimeout(this.#timer);
      await this.#writing;
      await this.#write();
    };
  }

  #wait(): NodeJS.Timeout {
    const before = performance.eventLoopUtilization();
    const end = () => {
      this.#timer = undefined;
      if (this.#writing !== undefined) this.#timer = this.#wait();
      else if (performance.eventLoopUtilization(before).utilization > busyUtilization)
        this.#drop(this.#take());
      else {
        this.#writing = this.#write().finally(() => {
          this.#writing = undefined;
        });
      }
    };
    return setTimeout(end, intervalMs).unref();
  }

  async #write(): Promise<void> {
    const errors = this.#take();
    if (errors.length === 0) return;
    try {
      await this.#store.append(errors, storedOfClient);
    } catch (error) {
      this.#drop(errors);
      this.#onError(error);
    }
  }

  #take(): readonly RequestError[] {
    const errors = this.#pending;
    this.#pending = [];
    return errors;
  }

  #drop(errors: readonly RequestError[]): void {
    this.#dropped += errors.length;
  }
}
