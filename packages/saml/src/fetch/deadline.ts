import { FetchFault } from './fetch-fault.ts';

export interface Timeouts {
  /** Milliseconds until the answer begins. */
  readonly answerTimeout: number;
  /** Milliseconds until the answer is there whole. */
  readonly timeout: number;
}

/** The time that an exchange may take; it is ended when that is over. */
export class Deadline {
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #isOver = Promise.withResolvers<never>();
  #end: () => void = () => {};
  /** Which of the times was over. */
  fault: FetchFault | undefined;

  constructor({ answerTimeout, timeout }: Timeouts) {
    this.#isOver.promise.catch(() => {});
    this.#timers = [
      setTimeout(() => this.#tooSlow('an answer', answerTimeout), answerTimeout),
      setTimeout(() => this.#tooSlow('all of it', timeout), timeout),
    ];
  }

  orTooSlow<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([work, this.#isOver.promise]);
  }

  onEnd(end: () => void): void {
    this.#end = end;
  }

  answered(): void {
    clearTimeout(this.#timers[0]);
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#end();
  }

  #tooSlow(what: string, timeout: number): void {
    this.fault = new FetchFault(`${what} did not come within ${timeout / 1000} s`);
    this.#isOver.reject(this.fault);
    this.end();
  }
}
