import { OutboundError } from './outbound-error.ts';

export interface Timeouts {
  /** Milliseconds until the answer begins, redirects included. */
  readonly answerTimeout: number;
  /** Milliseconds until the whole answer has arrived. */
  readonly timeout: number;
}

/** Ends a request when its time is over, or when the caller aborts it by its signal. */
export class Deadline {
  readonly #host: string;
  readonly #signal: AbortSignal | undefined;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #isOver = Promise.withResolvers<never>();
  readonly #abort = () =>
    this.#fail(new OutboundError('aborted', `the request to ${this.#host} was aborted`));
  #close: () => void = () => {};
  /** Why the request was ended. */
  error: OutboundError | undefined;

  constructor(host: string, { answerTimeout, timeout }: Timeouts, signal: AbortSignal | undefined) {
    this.#host = host;
    this.#signal = signal;
    // There can be no caller that waits at that time.
    this.#isOver.promise.catch(() => {});
    this.#timers = [
      setTimeout(() => this.#expire('did not answer', answerTimeout), answerTimeout),
      setTimeout(() => this.#expire('did not send its whole answer', timeout), timeout),
    ];
    signal?.addEventListener('abort', this.#abort);
    if (signal?.aborted === true) this.#abort();
  }

  /** Resolves as the work does. @throws OutboundError `timeout`, `aborted` when the request is ended before */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([this.#isOver.promise, work]);
  }

  /** Sets the function that closes the open connection. */
  onEnd(close: () => void): void {
    this.#close = close;
    if (this.error !== undefined) close();
  }

  /** The answer has begun. */
  answered(): void {
    clearTimeout(this.#timers[0]);
  }

  /** Closes the connection. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#close();
  }

  #expire(failure: string, milliseconds: number): void {
    this.#fail(new OutboundError('timeout', `${this.#host} ${failure} within ${milliseconds / 1000} s`));
  }

  #fail(error: OutboundError): void {
    this.error = error;
    this.#isOver.reject(error);
    this.end();
  }
}
