import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { StoreUnavailableError } from '@watchword/protocol';
import { Mutex } from '../mutex.ts';
import { Slots } from '../slots.ts';
import { toOpenError, toStoreError } from './store-errors.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';
import type {
  CommitAnswer,
  QueryAnswer,
  WriterReply,
  WriterRequest,
  WriterSettings,
} from './writer-thread.ts';

/** This thread's side of the connection that writes. */
export class SqliteWriter {
  /** Held by whoever queries, or has a transaction open: there is one connection, and all share it. */
  readonly mutex = new Mutex();
  readonly #worker: Worker;
  readonly #onCommit: (batchSize: number) => void;
  readonly #pending = new Slots<PromiseWithResolvers<unknown>>();
  #lost: Error | undefined;
  #isClosing = false;

  private constructor(worker: Worker, onCommit: (batchSize: number) => void) {
    this.#worker = worker;
    this.#onCommit = onCommit;
    worker.on('message', (reply: WriterReply) => this.#settle(reply));
    worker.on('error', (error: Error) => this.#lose(error));
    worker.on('exit', () => this.#lose(new Error('the thread that writes the database has ended')));
  }

  /**
   * @param onCommit told the number of operations of each transaction
   * @throws DatabaseOpenError with advice for the operator
   */
  static async open(settings: WriterSettings, onCommit: (batchSize: number) => void): Promise<SqliteWriter> {
    const cache = getCompileCacheDir();
    const worker = new Worker(fileURLToPath(import.meta.resolve('#thread')), {
      workerData: {
        module: import.meta.resolve('#writer-thread'),
        compileCache: cache && dirname(cache),
        ...settings,
      },
    });
    const [opened] = (await once(worker, 'message')) as [WriterReply];
    if ('fault' in opened) {
      await worker.terminate();
      throw toOpenError(settings.file, opened.fault);
    }
    return new SqliteWriter(worker, onCommit);
  }

  query(sql: string, parameters: readonly SQLInputValue[]): Promise<QueryAnswer> {
    return this.#ask({ type: 'query', sql, parameters }) as Promise<QueryAnswer>;
  }

  /**
   * Runs the operations in one transaction, together with others that wait; resolves once it is durable.
   * It never falls into a transaction that somebody has open: the thread lets it wait for the end of that.
   */
  async commit(operations: readonly WriteOperation[]): Promise<readonly WriteResult[]> {
    const { results, batchSize } = (await this.#ask({ type: 'commit', operations })) as CommitAnswer;
    if (batchSize !== undefined) this.#onCommit(batchSize);
    return results;
  }

  async close(): Promise<void> {
    await this.mutex.run(() => {
      this.#isClosing = true;
      return this.#ask({ type: 'close' });
    });
  }

  #ask(request: WriterRequest): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(new StoreUnavailableError(this.#lost.message));
    const pending = Promise.withResolvers<unknown>();
    this.#worker.postMessage({ id: this.#pending.put(pending), request });
    return pending.promise;
  }

  #settle(reply: WriterReply): void {
    const pending = this.#pending.take(reply.id);
    if (pending === undefined) return;
    if ('fault' in reply) pending.reject(toStoreError(reply.fault));
    else pending.resolve(reply.value);
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    for (const { reject } of this.#pending.takeAll()) reject(new StoreUnavailableError(error.message));
    // Without this thread nothing can be written any more: the process ends, and whoever watches it starts
    // another. Nothing that was acknowledged is lost.
    if (!this.#isClosing) throw error;
  }
}
