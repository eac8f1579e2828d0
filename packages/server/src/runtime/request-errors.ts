import {
  type Clock,
  type FailedRequest,
  type Random,
  type RequestError,
  type RequestErrorLog,
  type RequestErrorStore,
  requestErrorHours,
  timeOrderedId,
} from '@watchword/protocol';
import type { Logger } from './logger.ts';
import { printable } from './printable.ts';
import { RequestErrorMemory } from './request-error-memory.ts';
import { RequestErrorWriter } from './request-error-writer.ts';

// Characters. 10,000 errors with such reasons need at most 20 MB.
const maxReason = 500;
const hourMs = 3_600_000;

/** The errors of requests: all of them in memory, those of authenticated clients also in the database. */
export class RequestErrors implements RequestErrorLog {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #memory = new RequestErrorMemory();
  readonly #writer: RequestErrorWriter;

  constructor(store: Pick<RequestErrorStore, 'append'>, clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#writer = new RequestErrorWriter(store);
  }

  requestFailed(failure: FailedRequest): void {
    const time = this.#clock.now();
    const id = timeOrderedId(time, this.#random);
    const error: RequestError = { ...failure, id, time, reason: shortened(failure.reason) };
    this.#memory.add(error);
    if (error.isAuthenticated) this.#writer.add(error);
  }

  /** The errors of the last day, newest first. @param clientRecordId only those of this client */
  list(clientRecordId: number | undefined): RequestError[] {
    const oldest = this.#clock.now() - requestErrorHours * hourMs;
    return this.#memory
      .list(clientRecordId)
      .filter(({ time }) => time >= oldest)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  /** Number of errors of authenticated clients that were not stored since the start. */
  dropped(): number {
    return this.#writer.dropped;
  }

  /** Stores errors until the returned function is called, which stores the rest. */
  start(logger: Logger): () => Promise<void> {
    return this.#writer.start(logger);
  }
}

/** A copy, because a part of a text keeps the whole text in memory: a request of 64 kB for a few characters. */
function shortened(reason: string): string {
  return Buffer.from(printable(reason.slice(0, maxReason))).toString();
}
