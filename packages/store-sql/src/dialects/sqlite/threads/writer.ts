import type { SQLInputValue } from 'node:sqlite';
import { StoreUnavailableError } from '@watchword/protocol';
import type { Command, CommandResult } from '../../../hot/command.ts';
import { Mutex } from '../../../work/waiting.ts';
import { toStoreError } from '../files/store-errors.ts';
import { DatabaseThread } from './database-thread.ts';
import type { QueryAnswer, SharedConnection } from './thread-messages.ts';
import { WaitingThread } from './waiting-thread.ts';
import type { CommitAnswer, TimedAnswer, WriterRequest, WriterSettings } from './writer-thread.ts';

/** The thread of a writer, before it opens the file. */
export type WriterThread = WaitingThread<WriterSettings>;

export function writerThread(): WriterThread {
  return new WaitingThread('#writer-thread');
}

/** The interface, in this thread, to the connection that writes. */
export class SqliteWriter implements SharedConnection {
  readonly mutex = new Mutex();
  readonly #thread: DatabaseThread<WriterRequest>;
  readonly #onCommit: (batchSize: number) => void;
  #worked = 0;
  #committed = 0;
  #refusal: string | undefined;

  private constructor(thread: DatabaseThread<WriterRequest>, onCommit: (batchSize: number) => void) {
    this.#thread = thread;
    this.#onCommit = onCommit;
  }

  /**
   * @param onCommit called with the number of commands of each transaction
   * @throws DatabaseOpenError with advice for the operator
   */
  static async open(
    settings: WriterSettings,
    onCommit: (batchSize: number) => void,
    thread = writerThread(),
  ): Promise<SqliteWriter> {
    return new SqliteWriter(new DatabaseThread(await thread.open(settings)), onCommit);
  }

  /** Milliseconds for which the connection has worked on queries. */
  get worked(): number {
    return this.#worked;
  }

  /** Number of commands of {@link commit} that are complete. */
  get committed(): number {
    return this.#committed;
  }

  query(sql: string, parameters: readonly SQLInputValue[]): Promise<QueryAnswer> {
    return this.#query(sql, parameters, false);
  }

  /** The same connection. What it commits can be lost if the machine fails, with all that was committed after it. */
  get withoutSync(): SharedConnection {
    return {
      mutex: this.mutex,
      query: (sql, parameters) => this.#query(sql, parameters, true),
    };
  }

  /** Rejects every statement and command from now on. @param reason for operators */
  refuse(reason: string): void {
    this.#refusal = reason;
  }

  #ask(request: WriterRequest): Promise<unknown> {
    if (this.#refusal !== undefined) return Promise.reject(new StoreUnavailableError(this.#refusal));
    return this.#thread.ask(request);
  }

  async #query(sql: string, parameters: readonly SQLInputValue[], mayBeLost: boolean): Promise<QueryAnswer> {
    const answer = (await this.#ask({ type: 'query', sql, parameters, mayBeLost })) as TimedAnswer;
    this.#worked += answer.milliseconds;
    return answer;
  }

  /**
   * Runs the commands in one transaction, together with others that wait. Resolves when it is durable. If a command fails, each
   * gets its own transaction, so an error in the results belongs to one command.
   * While a transaction of Kysely is open, the thread lets the commands wait for its end.
   */
  async commit(commands: readonly Command[]): Promise<readonly (CommandResult | Error)[]> {
    const { results, batchSize } = (await this.#ask({ type: 'commit', commands })) as CommitAnswer;
    if (batchSize !== undefined) this.#onCommit(batchSize);
    this.#committed += commands.length;
    return results.map((result) => (typeof result === 'number' ? result : toStoreError(result)));
  }

  async close(): Promise<void> {
    await this.mutex.run(() => this.#thread.close({ type: 'close' }));
  }
}
