import type { Grant } from './authorization.ts';

/**
 * Holds the token, only in memory. When it is no longer valid, requests wait until a user has
 * signed in again; nothing that they were doing is lost.
 */
export class Session {
  #grant: Grant;
  #isEnded = false;
  readonly #waiting = new Set<(token: string) => void>();
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(grant: Grant) {
    this.#grant = grant;
    this.#watchExpiry();
  }

  /** Whether a user has to sign in again. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  get scopes(): readonly string[] {
    return this.#grant.scopes;
  }

  /** The token; resolves once there is a valid one. */
  token(): Promise<string> {
    return this.#isEnded ? this.#next() : Promise.resolve(this.#grant.token);
  }

  /** The server answered that this token is not valid. Resolves with the next one. */
  renew(invalid: string): Promise<string> {
    if (invalid === this.#grant.token) this.#end();
    return this.token();
  }

  /** A user has signed in again. */
  resume(grant: Grant): void {
    this.#grant = grant;
    this.#isEnded = false;
    this.#watchExpiry();
    for (const go of this.#waiting) go(grant.token);
    this.#waiting.clear();
    this.#notify();
  }

  /** For the code that revokes the token when the window closes. */
  current(): string | undefined {
    return this.#isEnded ? undefined : this.#grant.token;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #next(): Promise<string> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #watchExpiry(): void {
    clearTimeout(this.#timer);
    const { expires } = this.#grant;
    if (expires === 0) return;
    // A timer takes at most some 24 days; a longer session ends by an answer of the server.
    const left = Math.min(expires - Date.now(), 0x7fffffff);
    this.#timer = setTimeout(() => this.#end(), left);
  }
}
