import type { Worker } from 'node:worker_threads';
import { StoreUnavailableError } from '@watchword/protocol';
import { toStoreError } from '../files/store-errors.ts';
import type { ThreadReply } from './thread-messages.ts';

/**
 * Keeps values under small numbers that are used again. The tables that a changing Map or Set outgrows refer to each
 * other, so that all values that were ever in them survive every garbage collection but a full one.
 */
export class Slots<Value> {
  readonly #values: (Value | undefined)[] = [];
  readonly #free: number[] = [];

  /** Stores the value until it is taken. Returns its number. */
  put(value: Value): number {
    const slot = this.#free.pop() ?? this.#values.length;
    this.#values[slot] = value;
    return slot;
  }

  /** Removes and returns the value; `undefined` if there is none. */
  take(slot: number): Value | undefined {
    const value = this.#values[slot];
    if (value === undefined) return undefined;
    this.#values[slot] = undefined;
    this.#free.push(slot);
    return value;
  }

  /** Removes and returns all values. */
  takeAll(): Value[] {
    const kept = this.#values.filter((value) => value !== undefined);
    for (const slot of this.#values.keys()) this.take(slot);
    return kept;
  }
}

/** The interface, in this thread, to a thread that owns connections to the database. */
export class DatabaseThread<Request> {
  readonly #worker: Worker;
  readonly #pending = new Slots<PromiseWithResolvers<unknown>>();
  #lost: Error | undefined;
  #isClosing = false;

  /** @param worker of an opened {@link WaitingThread} */
  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: ThreadReply) => this.#settle(reply));
    worker.on('error', (error: Error) => this.#lose(error));
    worker.on('exit', () => this.#lose(new Error('a thread of the database has ended')));
  }

  ask(request: Request): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(new StoreUnavailableError(this.#lost.message));
    const pending = Promise.withResolvers<unknown>();
    this.#worker.postMessage({ id: this.#pending.put(pending), request });
    return pending.promise;
  }

  /** Sends the last request, after which the thread ends. */
  close(request: Request): Promise<unknown> {
    this.#isClosing = true;
    return this.ask(request);
  }

  #settle(reply: ThreadReply): void {
    const pending = this.#pending.take(reply.id);
    if (pending === undefined) return;
    if ('sqliteError' in reply) pending.reject(toStoreError(reply.sqliteError));
    else pending.resolve(reply.value);
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    for (const { reject } of this.#pending.takeAll()) reject(new StoreUnavailableError(error.message));
    // Without its threads the database cannot be used: the process ends, and its supervisor starts another.
    // No acknowledged write is lost.
    if (!this.#isClosing) throw error;
  }
}
