import { StoreUnavailableError } from '@watchword/protocol';
import { Backoff } from './backoff.ts';
import type { PostgresqlConnection } from './connection.ts';
import type { Hosts } from './hosts.ts';
import type { Session, SessionPool } from './session.ts';
import { toStoreError } from './store-errors.ts';

export interface PoolOptions {
  /** Maximum number of connections. */
  readonly size: number;
  /** Maximum number of callers that wait for a connection. More are rejected immediately. */
  readonly maxWaiting: number;
  /** Milliseconds after which a caller that waits is rejected. */
  readonly waitTimeout: number;
}

interface Waiting {
  readonly caller: PromiseWithResolvers<PostgresqlConnection>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Connections to the wanted host. They are opened when they are needed. While no host can be used, one caller at a time looks
 * for one, with growing pauses; the others wait for a short time, and are rejected immediately when the search takes longer.
 */
export class ConnectionPool implements SessionPool {
  readonly #hosts: Hosts;
  readonly #options: PoolOptions;
  readonly #backoff: Backoff;
  /** The one that was used last is the first to be used again, so that few are in use. */
  readonly #idle: PostgresqlConnection[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #busy = new Set<PostgresqlConnection>();
  #opening = 0;
  #timedOut = 0;
  #isClosed = false;
  #onQuiet: (() => void) | undefined;

  constructor(hosts: Hosts, options: PoolOptions) {
    this.#hosts = hosts;
    this.#options = options;
    this.#backoff = new Backoff(options.waitTimeout, () => this.#open());
    // A role that was replaced is not used any more, so that its password can be changed next.
    hosts.onOutdated(() => void this.#discardIdle());
  }

  /** Opens the first connection, without another attempt. @throws NoHostError */
  async open(): Promise<void> {
    this.#put(await this.#connect());
  }

  async use<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
    const connection = await this.acquire();
    try {
      return await work(connection);
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.release(connection);
    }
  }

  /** The caller must release the connection. @throws StoreUnavailableError */
  acquire(): Promise<PostgresqlConnection> {
    const idle = this.#takeIdle();
    if (idle !== undefined) return Promise.resolve(idle);
    const rejection = this.#rejection();
    if (rejection !== undefined) return Promise.reject(rejection);
    const caller = Promise.withResolvers<PostgresqlConnection>();
    const timer = setTimeout(() => this.#rejectLate(caller), this.#options.waitTimeout);
    this.#waiting.push({ caller, timer });
    this.#open();
    return caller.promise;
  }

  release(connection: PostgresqlConnection): void {
    if (connection.isClean || !connection.isUsable) this.#put(connection);
    else void connection.reset().finally(() => this.#put(connection));
  }

  /** Reads the login again. Connections that were opened with another one are closed when their callers have finished. */
  readLoginAgain(): Promise<void> {
    return this.#hosts.readLoginAgain();
  }

  /** Asks every host whether it accepts writes. While two servers of one database do, none is used. */
  lookForPrimaries(): Promise<void> {
    return this.#hosts.lookForPrimaries();
  }

  /** Number of connections that are open. */
  get size(): number {
    return this.#busy.size + this.#idle.length;
  }

  /** Connections, callers that wait for one, and callers that got none in time since the start. */
  counts() {
    return {
      busy: this.#busy.size,
      idle: this.#idle.length,
      limit: this.#options.size,
      waiting: this.#waiting.length,
      timedOut: this.#timedOut,
    };
  }

  /** Waits for the callers that have a connection, and closes all. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#backoff.stop();
    this.#rejectAll(new StoreUnavailableError('the database is closed'));
    if (this.#busy.size + this.#opening > 0) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve;
      });
    }
    await this.#discardIdle();
  }

  #takeIdle(): PostgresqlConnection | undefined {
    if (this.#isClosed) return undefined;
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isUsable) continue;
      this.#busy.add(idle);
      return idle;
    }
    return undefined;
  }

  #rejection(): Error | undefined {
    if (this.#isClosed) return new StoreUnavailableError('the database is closed');
    if (this.#waiting.length >= this.#options.maxWaiting) {
      return new StoreUnavailableError('too many requests wait for a connection to PostgreSQL');
    }
    const error = this.#busy.size > 0 ? undefined : this.#backoff.rejection;
    return error === undefined ? undefined : unreachable(error);
  }

  /** Opens a connection if a caller waits for one and the limits permit it. */
  #open(): void {
    const room = this.#options.size - this.#busy.size - this.#idle.length - this.#opening;
    const isWanted = this.#waiting.length > this.#opening;
    if (room <= 0 || !isWanted || this.#isClosed || !this.#backoff.permits(this.#opening)) return;
    this.#opening += 1;
    this.#connect().then(
      (connection) => this.#opened(connection),
      (error: unknown) => this.#failed(error),
    );
    this.#open();
  }

  /** When a server turns out to be a standby now, its other connections are of no use either. */
  #connect(): Promise<PostgresqlConnection> {
    return this.#hosts.connect({ onReadOnly: () => void this.#discardIdle() });
  }

  #opened(connection: PostgresqlConnection): void {
    this.#opening -= 1;
    this.#backoff.succeeded();
    this.#put(connection);
    this.#open();
  }

  #failed(error: unknown): void {
    this.#opening -= 1;
    this.#backoff.failed(error);
    if (this.#busy.size === 0 && this.#backoff.rejection !== undefined) this.#rejectAll(unreachable(error));
    this.#reportQuiet();
  }

  /** Gives the connection to the caller that has waited longest, or keeps it. */
  #put(connection: PostgresqlConnection): void {
    this.#busy.delete(connection);
    if (!connection.isUsable || this.#isClosed || this.#hosts.isOutdated(connection)) {
      void connection.close();
      this.#open();
    } else {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(connection);
      else {
        clearTimeout(next.timer);
        this.#busy.add(connection);
        next.caller.resolve(connection);
      }
    }
    this.#reportQuiet();
  }

  #rejectLate(caller: Waiting['caller']): void {
    const index = this.#waiting.findIndex((each) => each.caller === caller);
    if (index === -1) return;
    this.#waiting.splice(index, 1);
    this.#timedOut += 1;
    const error = this.#backoff.lastError;
    caller.reject(
      error === undefined
        ? new StoreUnavailableError('no connection to PostgreSQL became free in time')
        : unreachable(error),
    );
  }

  #rejectAll(error: Error): void {
    for (const { caller, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      caller.reject(error);
    }
  }

  async #discardIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((idle) => idle.close()));
  }

  #reportQuiet(): void {
    if (this.#busy.size + this.#opening === 0) this.#onQuiet?.();
  }
}

function unreachable(error: unknown): StoreUnavailableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailableError(`PostgreSQL: ${reason}`, { cause: error });
}
