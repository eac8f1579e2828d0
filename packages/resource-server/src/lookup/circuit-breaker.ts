import { AuthorizationServerUnavailable } from '../errors.ts';
import type { Clocks } from '../platform/system.ts';

// Lookups in a row that fail before the server is given a pause.
const threshold = 5;

/** Milliseconds of a pause; short, because after it a single lookup tries whether the server is back. */
export const pause = 1000;

/**
 * Keeps an API from waiting for a server that does not answer, and the server from being overrun when it comes back.
 * Its state depends on clocks alone: runtimes that end a request together with everything it awaits cannot leave it
 * stuck half open.
 */
export class CircuitBreaker {
  readonly #clocks: Pick<Clocks, 'monotonic'>;
  readonly #lookupTime: number;
  #failures = 0;
  /** End of the pause after failures; used only while there are enough failures. */
  #openUntil = 0;
  /** End of the pause that the server asked for, which no lookup of before it shortens. */
  #quietUntil = 0;
  #lastFailure: unknown;

  /** @param lookupTime milliseconds after which a lookup that tries the server is given up */
  constructor(lookupTime: number, clocks: Pick<Clocks, 'monotonic'>) {
    this.#lookupTime = lookupTime;
    this.#clocks = clocks;
  }

  /** @throws AuthorizationServerUnavailable `circuit_open` during a pause */
  check(): void {
    const until = Math.max(this.#quietUntil, this.#isOpen() ? this.#openUntil : 0);
    const left = until - this.#clocks.monotonic();
    if (left <= 0) return;
    throw new AuthorizationServerUnavailable('circuit_open', {
      retryAfter: Math.ceil(left / 1000),
      cause: this.#lastFailure,
    });
  }

  /** Lets a lookup through; after failures one alone. @throws like {@link check} */
  admit(): void {
    this.check();
    if (this.#isOpen()) this.#openUntil = this.#clocks.monotonic() + this.#lookupTime;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(error: unknown): void {
    this.#failures += 1;
    this.#openUntil = this.#clocks.monotonic() + pause;
    this.#lastFailure = error;
  }

  /** The server asked for a pause itself. */
  pauseFor(milliseconds: number, error: unknown): void {
    this.#failures = 0;
    this.#quietUntil = Math.max(this.#quietUntil, this.#clocks.monotonic() + milliseconds);
    this.#lastFailure = error;
  }

  #isOpen(): boolean {
    return this.#failures >= threshold;
  }
}
