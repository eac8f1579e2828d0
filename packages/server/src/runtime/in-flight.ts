/** Counts the requests whose answers are not complete. */
export class InFlight {
  #count = 0;
  #isClosing = false;
  #onIdle: (() => void)[] = [];
  readonly #onClosing: (() => void)[] = [];

  /** Whether every answer asks its client to close the connection. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  begin(): void {
    this.#count += 1;
  }

  /** The answer of a request is complete, or its client has closed the connection. */
  end(): void {
    this.#count -= 1;
    if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Calls back when {@link close} is called: requests that wait are answered then. */
  whenClosing(listener: () => void): void {
    this.#onClosing.push(listener);
  }

  /** From now on every answer asks its client to close the connection. */
  close(): void {
    this.#isClosing = true;
    for (const listener of this.#onClosing.splice(0)) listener();
  }

  /** Resolves when no request is left. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }
}
