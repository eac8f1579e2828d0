import type { Clock } from '@watchword/protocol';

interface Copy<Value> {
  readonly value: Value;
  /** Epoch milliseconds. */
  readonly loaded: number;
}

/** How long a copy is used, in milliseconds. */
export interface KeptFor {
  /** After that it is loaded again when it is needed. */
  readonly fresh: number;
  /** After that it is not used any more, also if no other one can be loaded. */
  readonly valid: number;
  /** Between two loads by {@link Kept.again}, and after a load that failed while there is a copy. */
  readonly pause: number;
}

/** Loads that failed, without one that succeeded since: times in epoch milliseconds. */
interface Failure {
  readonly since: number;
  readonly last: number;
  /** Of the last one. */
  readonly error: unknown;
}

/** Something of another server: loaded when it is needed, by one request for all who wait, and kept while a newer one cannot be had. */
export class Kept<Value> {
  readonly #load: () => Promise<Value>;
  readonly #clock: Clock;
  readonly #times: KeptFor;
  #copy: Copy<Value> | undefined;
  #loading: Promise<Value> | undefined;
  /** Epoch milliseconds of the last load by `again`. */
  #repeated = Number.NEGATIVE_INFINITY;
  #failure: Failure | undefined;

  constructor(load: () => Promise<Value>, clock: Clock, times: KeptFor) {
    this.#load = load;
    this.#clock = clock;
    this.#times = times;
  }

  /** Of the last load. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** The copy, if it can be used. */
  get copy(): Value | undefined {
    return this.#usable()?.value;
  }

  /** @throws the error of the load where there is no copy */
  async get(): Promise<Value> {
    const copy = this.#usable();
    if (copy === undefined) return this.#refresh();
    const now = this.#clock.now();
    const hasJustFailed = this.#failure !== undefined && now - this.#failure.last < this.#times.pause;
    if (now - copy.loaded < this.#times.fresh || hasJustFailed) return copy.value;
    return this.#refresh().catch(() => copy.value);
  }

  /** A newer copy than the one that `get` returned; `undefined` if the last load is too recent, or fails. */
  async again(): Promise<Value | undefined> {
    const now = this.#clock.now();
    if (this.#loading === undefined && now - this.#repeated < this.#times.pause) return undefined;
    this.#repeated = now;
    return this.#refresh().catch(() => undefined);
  }

  #usable(): Copy<Value> | undefined {
    const copy = this.#copy;
    return copy !== undefined && this.#clock.now() - copy.loaded < this.#times.valid ? copy : undefined;
  }

  #refresh(): Promise<Value> {
    this.#loading ??= this.#loaded().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loaded(): Promise<Value> {
    const now = this.#clock.now();
    try {
      const value = await this.#load();
      this.#copy = { value, loaded: now };
      this.#failure = undefined;
      return value;
    } catch (error) {
      this.#failure = { since: this.#failure?.since ?? now, last: now, error };
      throw error;
    }
  }
}
