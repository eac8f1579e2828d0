import { StoreUnavailableError } from '@watchword/protocol';

export interface GroupCommitOptions<Operation, Result> {
  /**
   * Makes the operations durable. Resolves with one result for each, in order, which can be an error. It is called again during
   * earlier calls: operations that have arrived by then are committed together.
   */
  readonly commit: (operations: readonly Operation[]) => Promise<readonly (Result | Error)[]>;
  /** Number of operations that are committed without waiting for more. */
  readonly chunkSize: number;
  /** Number of commits under way from which on operations wait for an answer, unless they fill a chunk. */
  readonly underWay: number;
  /** Maximum number of simultaneous operations. More are rejected immediately. */
  readonly maxPending: number;
  /** Milliseconds after which an operation that is not durable is rejected. */
  readonly timeout: number;
}

/** Operations that are committed together, and their callers in the same order. */
interface Chunk<Operation, Result> {
  readonly operations: Operation[];
  readonly callers: PromiseWithResolvers<Result>[];
  /** When its first operation was added. */
  readonly since: number;
}

/**
 * Commits writes in groups. A write is answered only after its commit: an answer means "durable", and an error means "not
 * acknowledged".
 *
 * Operations are sent in chunks. A full chunk is sent immediately, so that the disk works on the first requests of a
 * burst while the next ones are read. Other operations are sent at the end of the turn of the event loop. If enough
 * commits are under way, they wait for an answer and are sent together, because a commit costs more than its operations.
 */
export class GroupCommit<Operation, Result> {
  readonly #options: GroupCommitOptions<Operation, Result>;
  // An array, because the entries of a Set are collected late by the garbage collector.
  readonly #underWay: Chunk<Operation, Result>[] = [];
  #chunk: Chunk<Operation, Result> | undefined;
  #pending = 0;
  #endOfTurn: NodeJS.Immediate | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #onIdle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Operation, Result>) {
    this.#options = options;
  }

  /** @throws StoreUnavailableError if there are too many operations, or this one took too long */
  add(operation: Operation): Promise<Result> {
    if (this.#pending >= this.#options.maxPending) {
      return Promise.reject(new StoreUnavailableError('too many writes wait for the database'));
    }
    this.#pending += 1;
    this.#sweep ??= setTimeout(() => this.#rejectLate(), this.#options.timeout);
    this.#chunk ??= { operations: [], callers: [], since: performance.now() };
    const { operations, callers } = this.#chunk;
    const caller = Promise.withResolvers<Result>();
    operations.push(operation);
    callers.push(caller);
    if (operations.length >= this.#options.chunkSize) void this.#handOver(this.#chunk);
    else if (this.#underWay.length < this.#options.underWay) this.#handOverAtEndOfTurn();
    return caller.promise;
  }

  /** Resolves when every operation added so far has its answer. */
  idle(): Promise<void> {
    if (this.#pending === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #handOverAtEndOfTurn(): void {
    if (this.#chunk === undefined) return;
    this.#endOfTurn ??= setImmediate(() => {
      this.#endOfTurn = undefined;
      if (this.#chunk !== undefined) void this.#handOver(this.#chunk);
    });
  }

  async #handOver(chunk: Chunk<Operation, Result>): Promise<void> {
    clearImmediate(this.#endOfTurn);
    this.#endOfTurn = undefined;
    this.#chunk = undefined;
    this.#underWay.push(chunk);
    const { operations, callers } = chunk;
    try {
      const results = await this.#options.commit(operations);
      callers.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result instanceof Error) reject(result);
        else resolve(result as Result);
      });
    } catch (error) {
      for (const { reject } of callers) reject(error);
    }
    this.#underWay.splice(this.#underWay.indexOf(chunk), 1);
    this.#pending -= callers.length;
    if (this.#pending === 0) this.#becomeIdle();
    else if (this.#underWay.length < this.#options.underWay) this.#handOverAtEndOfTurn();
  }

  #becomeIdle(): void {
    clearTimeout(this.#sweep);
    this.#sweep = undefined;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  // A disk or a lock that does not answer must not delay the callers without a limit. An operation that is rejected here
  // can still
  // become durable, unacknowledged, as after every failed write.
  #rejectLate(): void {
    const latest = performance.now() - this.#options.timeout;
    const waiting = this.#chunk === undefined ? [] : [this.#chunk];
    for (const { since, callers } of [...this.#underWay, ...waiting]) {
      if (since > latest) continue;
      for (const { reject } of callers) {
        reject(new StoreUnavailableError('the database did not commit in time'));
      }
    }
    this.#sweep = setTimeout(() => this.#rejectLate(), this.#options.timeout / 4);
  }
}
