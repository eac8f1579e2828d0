import { StoreUnavailableError } from '@watchword/protocol';

export interface GroupCommitOptions<Operation, Result> {
  /**
   * Makes the operations durable; one result for each, in order. Called again while earlier calls are under
   * way: what has arrived by then is to be committed together.
   */
  readonly commit: (operations: readonly Operation[]) => Promise<readonly Result[]>;
  /** So many operations are handed over without waiting for more. */
  readonly chunkSize: number;
  /** At most so many operations may be under way; more are refused at once. */
  readonly maxPending: number;
  /** An operation that is not durable after so many milliseconds is refused. */
  readonly timeout: number;
}

interface Waiting<Operation, Result> {
  readonly operation: Operation;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Hands writes over to be committed in groups. Each is answered only after the commit that holds it, so an
 * answer always means "durable"; a refusal means "not acknowledged".
 *
 * Operations go in chunks: at the end of the turn of the event loop, or as soon as a chunk is full, so that
 * the disk works on the first requests of a burst while the rest are still being read.
 */
export class GroupCommit<Operation, Result> {
  readonly #options: GroupCommitOptions<Operation, Result>;
  readonly #underWay = new Set<readonly Waiting<Operation, Result>[]>();
  #chunk: Waiting<Operation, Result>[] = [];
  #pending = 0;
  #endOfTurn: NodeJS.Immediate | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #onIdle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Operation, Result>) {
    this.#options = options;
  }

  /** @throws StoreUnavailableError when too many are under way, or this one took too long */
  add(operation: Operation): Promise<Result> {
    if (this.#pending >= this.#options.maxPending) {
      return Promise.reject(new StoreUnavailableError('too many writes wait for the database'));
    }
    this.#pending += 1;
    return new Promise((resolve, reject) => {
      this.#chunk.push({ operation, since: performance.now(), resolve, reject });
      this.#sweep ??= setTimeout(() => this.#refuseLate(), this.#options.timeout);
      if (this.#chunk.length >= this.#options.chunkSize) void this.#handOver();
      else this.#endOfTurn ??= setImmediate(() => void this.#handOver());
    });
  }

  /** Resolves when every operation added so far has its answer. */
  idle(): Promise<void> {
    if (this.#pending === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  async #handOver(): Promise<void> {
    clearImmediate(this.#endOfTurn);
    this.#endOfTurn = undefined;
    const chunk = this.#chunk;
    this.#chunk = [];
    this.#underWay.add(chunk);
    try {
      const results = await this.#options.commit(chunk.map(({ operation }) => operation));
      chunk.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      for (const { reject } of chunk) reject(error);
    }
    this.#underWay.delete(chunk);
    this.#pending -= chunk.length;
    if (this.#pending === 0) this.#becomeIdle();
  }

  #becomeIdle(): void {
    clearTimeout(this.#sweep);
    this.#sweep = undefined;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  // A disk or a lock that hangs must not hold the callers. What is refused here may still become durable,
  // but unacknowledged, as a caller has to expect of every failed write.
  #refuseLate(): void {
    const latest = performance.now() - this.#options.timeout;
    for (const chunk of this.#underWay) {
      for (const { since, reject } of chunk) {
        if (since <= latest) reject(new StoreUnavailableError('the database did not commit in time'));
      }
    }
    this.#sweep = setTimeout(() => this.#refuseLate(), this.#options.timeout / 4);
  }
}
