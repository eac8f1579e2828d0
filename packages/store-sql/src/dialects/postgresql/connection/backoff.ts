// Milliseconds before the second attempt; each further pause is twice as long.
const firstPause = 50;
const longestPause = 2000;

/** Pauses between failed attempts to connect, so that a server that starts again is not met by all clients at once. */
export class Backoff {
  readonly #patience: number;
  readonly #retry: () => void;
  #failures = 0;
  #failingSince = 0;
  #lastError: unknown;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param patience milliseconds of failures for which callers wait
   * @param retry called when the next attempt is permitted
   */
  constructor(patience: number, retry: () => void) {
    this.#patience = patience;
    this.#retry = retry;
  }

  get lastError(): unknown {
    return this.#lastError;
  }

  /** The reason for which callers are rejected immediately. */
  get rejection(): unknown {
    const isPause = this.#timer !== undefined;
    const isLong = performance.now() - this.#failingSince > this.#patience;
    return isPause && isLong ? this.#lastError : undefined;
  }

  /** @param underWay number of attempts that have no result yet */
  permits(underWay: number): boolean {
    if (this.#failures === 0) return true;
    return underWay === 0 && this.#timer === undefined;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#lastError = undefined;
    this.stop();
  }

  failed(error: unknown): void {
    if (this.#failures === 0) this.#failingSince = performance.now();
    this.#failures += 1;
    this.#lastError = error;
    this.stop();
    const pause = Math.min(firstPause * 2 ** (this.#failures - 1), longestPause);
    // Half of the pause is random: the nodes of a deployment lose their connections at the same time.
    this.#timer = setTimeout(() => this.#permit(), pause * (0.5 + Math.random() / 2));
    // A pause alone keeps no process alive.
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #permit(): void {
    this.#timer = undefined;
    this.#retry();
  }
}
