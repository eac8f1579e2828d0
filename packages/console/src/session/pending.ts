import { keptJson } from '../browser-storage.ts';

/** An authorization request that waits for its answer. */
export interface PendingRequest {
  /** Whether this window left for it, or opened another one that does it. */
  readonly mode: 'page' | 'popup';
  /** The route of the application that is opened after the answer. */
  readonly route: string;
  /** The verifier of PKCE, of a request for a code. */
  readonly verifier?: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number;
}

const prefix = 'watchword.pending.';
const lifetime = 60 * 60 * 1000;

/**
 * What this tab has asked for, by `state`: an answer that names none of them was not asked for (RFC 9700 §4.7).
 * Stored in `sessionStorage`, which no other tab reads; a window opened by this one begins with a copy.
 */
export class PendingRequests {
  readonly #storage: Storage;
  readonly #now: () => number;

  constructor(storage: Storage, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  add(state: string, request: Omit<PendingRequest, 'since'>): void {
    this.#forgetOld();
    this.#storage.setItem(`${prefix}${state}`, JSON.stringify({ ...request, since: this.#now() }));
  }

  /** The request of that `state`, this once. */
  take(state: string | null): PendingRequest | undefined {
    const found = this.find(state);
    if (state) this.#storage.removeItem(`${prefix}${state}`);
    return found;
  }

  /** The request of that `state`, which stays. */
  find(state: string | null): PendingRequest | undefined {
    return state ? this.#read(`${prefix}${state}`) : undefined;
  }

  #read(key: string): PendingRequest | undefined {
    const request = keptJson(this.#storage, key);
    return isRequest(request) && this.#now() - request.since <= lifetime ? request : undefined;
  }

  #forgetOld(): void {
    const keys = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index));
    for (const key of keys) {
      if (key?.startsWith(prefix) && this.#read(key) === undefined) this.#storage.removeItem(key);
    }
  }
}

function isRequest(kept: unknown): kept is PendingRequest {
  const { mode, route, since } = (kept ?? {}) as Partial<Record<string, unknown>>;
  return (mode === 'page' || mode === 'popup') && typeof route === 'string' && typeof since === 'number';
}
