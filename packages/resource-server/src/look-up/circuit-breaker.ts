import { AuthorizationServerUnavailable } from '../errors.ts';
import type { Clocks } from '../system.ts';

// Look-ups in a row that fail before the server is given a pause.
const threshold = 5;

/** Milliseconds of a pause; short, because after it a single look-up tries whether the server is back. */
export const pause = 1000;

/**
 * Keeps an API from waiting for a server that does not answer, and the server from being overrun when it comes back.
 * Its state depends on clocks alone: runtimes that end a request together with everything it awaits cannot leave it
 * stuck half open.
 */
export class CircuitBreaker {
  readonly #clocks: Pick<Clocks, 'monotonic'>;
  readonly #lookUpTime: number;
  #failures = 0;
  #pausedUntil = 0;
  #lastFailure: unknown;

  /** @param lookUpTime milliseconds after which a look-up that tries the server is given up */
  constructor(lookUpTime: number, clocks: Pick<Clocks, 'monotonic'>) {
    this.#lookUpTime = lookUpTime;
    this.#clocks = clocks;
  }

  /** @throws AuthorizationServerUnavailable `circuit_open` during a pause */
  check(): void {
    const left = this.#pausedUntil - this.#clocks.monotonic();
    if (this.#failures < threshold || left <= 0) return;
    throw new AuthorizationServerUnavailable('circuit_open', {
      retryAfter: Math.ceil(left / 1000),
      cause: this.#lastFailure,
    });
  }

  /** Lets a look-up through; after a pause one alone. @throws like {@link check} */
  admit(): void {
    this.check();
    if (this.#failures >= threshold) this.#pausedUntil = this.#clocks.monotonic() + this.#lookUpTime;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(error: unknown): void {
    this.#failures += 1;
    this.#pause(pause, error);
  }

  /** The server asked for a pause itself. */
  pauseFor(milliseconds: number, error: unknown): void {
    this.#failures = threshold;
    this.#pause(milliseconds, error);
  }

  #pause(milliseconds: number, error: unknown): void {
    this.#pausedUntil = this.#clocks.monotonic() + milliseconds;
    this.#lastFailure = error;
  }
}
