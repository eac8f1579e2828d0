import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { toOpenError } from '../files/store-errors.ts';
import type { ThreadReply } from './thread-messages.ts';

export interface ThreadSettings {
  readonly file: string;
}

/**
 * A thread that loads its module and waits for its settings. It can begin while the caller loads other code or takes the lock of the
 * file, which it does not touch before. Disposal ends it unless it has been opened.
 */
export class WaitingThread<Settings extends ThreadSettings> implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #failed = Promise.withResolvers<never>();
  #isOpened = false;
  #hasEnded = false;

  /** @param module by its name in `imports` of this package */
  constructor(module: `#${string}`) {
    const cache = getCompileCacheDir();
    this.#worker = new Worker(fileURLToPath(import.meta.resolve('#thread')), {
      workerData: { module: import.meta.resolve(module), compileCache: cache && dirname(cache) },
    });
    this.#worker.once('error', this.#failed.reject).once('exit', this.#end);
    // Nobody may ever ask for it.
    this.#failed.promise.catch(() => {});
  }

  /**
   * Lets the thread open the file. Only one caller can.
   *
   * @throws DatabaseOpenError with advice for the operator
   */
  async open(settings: Settings): Promise<Worker> {
    if (this.#isOpened) throw new Error('this thread of a database has a file already');
    this.#isOpened = true;
    this.#worker.postMessage(settings);
    const reply = once(this.#worker, 'message') as Promise<[ThreadReply]>;
    const [opened] = await Promise.race([this.#failed.promise, reply]);
    // Node.js delivers the last messages of a thread together with its end, after which no other event comes.
    if (this.#hasEnded) return this.#failed.promise;
    if ('sqliteError' in opened) {
      await this.#worker.terminate();
      throw toOpenError(settings.file, opened.sqliteError);
    }
    return this.#worker.off('error', this.#failed.reject).off('exit', this.#end);
  }

  readonly #end = () => {
    this.#hasEnded = true;
    this.#failed.reject(new Error('a thread of the database has ended before its opening'));
  };

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpened) await this.#worker.terminate();
  }
}
