import { AdminError } from '@watchword/admin-client';
import type { Grant } from './authorization.ts';

/** `server`: the server refused a token that has not expired, because its login session has ended or it was revoked. */
export type SessionEnd = 'expiry' | 'server';

/**
 * Holds the token, only in memory. When it is no longer valid, requests wait until a user has
 * signed in again; nothing that they were doing is lost.
 */
export class Session {
  #grant: Grant;
  #demandedAge: number | undefined;
  readonly #demanding = new Set<PromiseWithResolvers<string>>();
  #end: SessionEnd | undefined;
  readonly #waiting = new Set<(token: string) => void>();
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(grant: Grant) {
    this.#grant = grant;
    this.#watchExpiry();
  }

  /** Why a user has to sign in again; `undefined` while nobody has to. */
  get end(): SessionEnd | undefined {
    return this.#end;
  }

  /** Seconds since the login, at most, that the server demands before it does what a user wants; `undefined` if it demands nothing. */
  get demandedAge(): number | undefined {
    return this.#demandedAge;
  }

  get scopes(): readonly string[] {
    return this.#grant.scopes;
  }

  /** The token; resolves once there is a valid one. */
  token(): Promise<string> {
    return this.#end === undefined ? Promise.resolve(this.#grant.token) : this.#next();
  }

  /** The server answered that this token is not valid. Resolves with the next one. */
  renew(invalid: string): Promise<string> {
    if (invalid === this.#grant.token) this.#endBy(this.#isExpired ? 'expiry' : 'server');
    return this.token();
  }

  /** The server demands a newer login for one request. Resolves with its token; what needs none goes on meanwhile. */
  logInAgain(maxAge: number): Promise<string> {
    const waiting = Promise.withResolvers<string>();
    this.#demanding.add(waiting);
    this.#demandedAge = Math.min(maxAge, this.#demandedAge ?? maxAge);
    this.#notify();
    return waiting.promise;
  }

  /** The user does not want to log in again, so nothing happens. */
  decline(): void {
    const details = { status: 401, code: 'insufficient_user_authentication' };
    for (const { reject } of this.#demanding) reject(new AdminError(details.code, details));
    this.#endDemand();
  }

  #endDemand(): void {
    this.#demanding.clear();
    this.#demandedAge = undefined;
    this.#notify();
  }

  /**
   * A user has signed in again. What waits goes on only for the user who began it, and never in the name of another one.
   *
   * @param owner the key of the user who began it; `undefined` if nobody knows
   * @param ownerOf asks for the key of the user of a token
   * @returns whether it goes on
   */
  async resume(
    grant: Grant,
    owner: string | undefined,
    ownerOf: (token: string) => Promise<string>,
  ): Promise<boolean> {
    if (owner === undefined || (await ownerOf(grant.token)) !== owner) return false;
    this.#grant = grant;
    this.#end = undefined;
    this.#watchExpiry();
    for (const go of this.#waiting) go(grant.token);
    this.#waiting.clear();
    for (const { resolve } of this.#demanding) resolve(grant.token);
    this.#endDemand();
    return true;
  }

  /** For the code that revokes the token when the window closes. */
  current(): string | undefined {
    return this.#end === undefined ? this.#grant.token : undefined;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #next(): Promise<string> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  get #isExpired(): boolean {
    const { expires } = this.#grant;
    return expires !== 0 && expires <= Date.now();
  }

  #endBy(end: SessionEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
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
    this.#timer = setTimeout(() => this.#endBy('expiry'), left);
  }
}
