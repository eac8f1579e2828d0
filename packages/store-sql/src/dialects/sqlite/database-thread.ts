import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { StoreUnavailableError } from '@watchword/protocol';
import { Slots } from '../../slots.ts';
import { keepThread, type ThreadModule, takeThread } from './idle-threads.ts';
import { toOpenError, toStoreError } from './store-errors.ts';
import type { ThreadReply } from './thread-messages.ts';

export interface ThreadSettings {
  readonly file: string;
}

/** The interface, in this thread, to a thread that owns connections to the database. */
export class DatabaseThread<Request> {
  readonly #module: ThreadModule;
  readonly #worker: Worker;
  readonly #pending = new Slots<PromiseWithResolvers<unknown>>();
  #lost: Error | undefined;

  private constructor(module: ThreadModule, worker: Worker) {
    this.#module = module;
    this.#worker = worker;
    worker.on('message', this.#settle).on('error', this.#fail).on('exit', this.#exit);
  }

  /** @throws DatabaseOpenError with advice for the operator */
  static async start<Request>(
    module: ThreadModule,
    settings: ThreadSettings,
  ): Promise<DatabaseThread<Request>> {
    const worker = takeThread(module);
    worker.postMessage(settings);
    const [opened] = (await once(worker, 'message')) as [ThreadReply];
    if ('sqliteError' in opened) {
      keepThread(module, worker);
      throw toOpenError(settings.file, opened.sqliteError);
    }
    return new DatabaseThread(module, worker);
  }

  ask(request: Request | 'close'): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(new StoreUnavailableError(this.#lost.message));
    const pending = Promise.withResolvers<unknown>();
    this.#worker.postMessage({ id: this.#pending.put(pending), request });
    return pending.promise;
  }

  /** Closes the database. The thread is free for another then. */
  async close(): Promise<void> {
    await this.ask('close');
    this.#worker.off('message', this.#settle).off('error', this.#fail).off('exit', this.#exit);
    keepThread(this.#module, this.#worker);
    this.#lose(new Error('the database is closed'));
  }

  readonly #settle = (reply: ThreadReply): void => {
    const pending = this.#pending.take(reply.id);
    if (pending === undefined) return;
    if ('sqliteError' in reply) pending.reject(toStoreError(reply.sqliteError));
    else pending.resolve(reply.value);
  };

  // Without its threads the database cannot be used: the process ends, and its supervisor starts another.
  // No acknowledged write is lost.
  readonly #fail = (error: Error): void => {
    this.#lose(error);
    throw error;
  };

  readonly #exit = (): void => this.#fail(new Error('a thread of the database has ended'));

  #lose(error: Error): void {
    this.#lost ??= error;
    for (const { reject } of this.#pending.takeAll()) reject(new StoreUnavailableError(error.message));
  }
}
