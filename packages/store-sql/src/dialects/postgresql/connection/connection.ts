import type { Client } from 'pg';
import { limitsQuery, type SessionLimits } from './limits.ts';
import { Pipeline, PreparedStatements } from './pipeline.ts';
import { PostgresqlError, toPostgresqlError } from './postgresql-error.ts';
import { rollback, type Session, type SessionQuery, type SessionResult } from './session.ts';
import { isEndOfConnection, sqlState } from './sql-state.ts';

export interface ConnectionOptions extends SessionLimits {
  /** `false` for a pooler that gives each transaction another connection: then nothing can be kept in the session. */
  readonly preparedStatements: boolean;
}

/** What happens on a connection without being asked for. */
export interface ConnectionEvents {
  /** The server turns out to be one that cannot be written, as after a failover. */
  onReadOnly?(): void;
}

// Milliseconds for which the server can be late with an answer that its time limits should have ended.
const patience = 1000;

/** One connection, which one caller uses at a time. */
export class PostgresqlConnection implements Session {
  readonly #client: Client;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #prepared = new PreparedStatements();
  /** Why the connection cannot be used any more. */
  #end: PostgresqlError | undefined;
  /** Why the open transaction has failed. */
  #failure: PostgresqlError | undefined;
  #onEnd: (error: PostgresqlError) => void = () => {};
  #isUnreplicated = false;

  /** @param client that is connected */
  constructor(client: Client, options: ConnectionOptions, events: ConnectionEvents = {}) {
    this.#client = client;
    this.#options = options;
    this.#events = events;
    client.on('error', (error) => this.#endWith(toPostgresqlError(error)));
    client.on('end', () => this.#endWith(new PostgresqlError('the server closed the connection')));
    client.on('notice', ({ routine }) => {
      this.#isUnreplicated ||= routine === 'SyncRepWaitForLSN';
    });
  }

  get isUsable(): boolean {
    return this.#end === undefined;
  }

  /** Sets the limits of the session. Behind a pooler each transaction sets them. */
  async prepareSession(): Promise<void> {
    if (this.#options.preparedStatements) await this.pipeline([limitsQuery(this.#options, false)]);
  }

  begin(access?: 'read only'): readonly SessionQuery[] {
    const begin = access === undefined ? beginWriting : beginReading;
    return this.#options.preparedStatements ? [begin] : [begin, limitsQuery(this.#options, true)];
  }

  async pipeline(queries: readonly SessionQuery[]): Promise<SessionResult[]> {
    if (this.#end !== undefined) throw this.#end;
    const before = this.#limitsBefore(queries);
    const sent = [...before, ...queries];
    const pipeline = new Pipeline(
      this.#options.preparedStatements ? sent : sent.map(unnamed),
      this.#prepared,
    );
    this.#client.query(pipeline);
    const timer = this.#endIfLate();
    try {
      const results = await pipeline.answer;
      this.#failure = undefined;
      this.#requireReplicated();
      return before.length === 0 ? results : results.slice(before.length);
    } catch (error) {
      throw this.#noted(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Hears the notifications of a channel.
   *
   * @param ended called when the connection ends
   * @throws PostgresqlError
   */
  async listen(channel: string, heard: () => void, ended: (error: PostgresqlError) => void): Promise<void> {
    this.#client.on('notification', heard);
    await this.pipeline([{ text: `listen ${channel}`, values: [] }]);
    if (this.#end !== undefined) throw this.#end;
    this.#onEnd = ended;
  }

  /** Whether no transaction is open. */
  get isClean(): boolean {
    return this.#failure === undefined && this.#client.getTransactionStatus() === 'I';
  }

  /** Ends a transaction that its caller left open. It never rejects: after a failure the connection is not usable. */
  async reset(): Promise<void> {
    await this.pipeline([rollback]).catch((error: unknown) => this.#endWith(toPostgresqlError(error)));
  }

  /** Resolves when the connection is closed. It never rejects. */
  async close(): Promise<void> {
    this.#endWith(new PostgresqlError('the connection was closed'));
    await this.#client.end().catch(() => {});
  }

  /** Behind a pooler, what is sent without `begin` is a transaction that has no limits yet. */
  #limitsBefore([first]: readonly SessionQuery[]): readonly SessionQuery[] {
    const hasLimits = this.#options.preparedStatements || !this.isClean;
    return hasLimits || first === beginWriting || first === beginReading
      ? []
      : [limitsQuery(this.#options, true)];
  }

  #endIfLate(): NodeJS.Timeout | undefined {
    const { statementTimeout } = this.#options;
    if (statementTimeout === 0) return undefined;
    const limit = statementTimeout + patience;
    return setTimeout(() => {
      this.#endWith(new PostgresqlError(`the server did not answer within ${limit / 1000} s`));
      void this.#client.end().catch(() => {});
    }, limit);
  }

  /**
   * A commit that waits for a standby and is cancelled is reported as done, with a warning: it is only on the primary, and a
   * failover would lose it. So it is not acknowledged.
   */
  #requireReplicated(): void {
    if (!this.#isUnreplicated) return;
    this.#isUnreplicated = false;
    throw new PostgresqlError('no synchronous standby confirmed the commit, whose wait was cancelled');
  }

  #noted(error: unknown): unknown {
    if (error instanceof RangeError || error instanceof TypeError) return error;
    const found = this.#end ?? toPostgresqlError(error);
    // Every statement of a failed transaction fails, until it is rolled back: the reason is the error of the first one.
    if (found.code === sqlState.inFailedTransaction && this.#failure !== undefined) return this.#failure;
    this.#failure = found;
    if (found.code === sqlState.readOnlyTransaction) this.#events.onReadOnly?.();
    if (found.isLost || (found.code !== undefined && isEndOfConnection(found.code))) this.#endWith(found);
    return found;
  }

  #endWith(error: PostgresqlError): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    this.#onEnd(error);
  }
}

// A role can have another isolation level as its default: then concurrent work fails that need not.
const beginWriting: SessionQuery = {
  name: 'begin',
  text: 'begin isolation level read committed',
  values: [],
};
const beginReading: SessionQuery = {
  name: 'begin_reading',
  text: 'begin isolation level repeatable read read only',
  values: [],
};

function unnamed({ name: _, ...query }: SessionQuery): SessionQuery {
  return query;
}
