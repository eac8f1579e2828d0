import type { SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type TransactionSettings,
} from 'kysely';
import type { TableNaming } from '../../schema/table-names.ts';
import type { SqliteReader } from './threads/reader.ts';
import type { SharedConnection, SqlConnection } from './threads/thread-messages.ts';

/**
 * Kysely over SQLite.
 *
 * @param writer for changes, and for transactions
 * @param reader for single reads, and for read-only transactions. They do not wait for the writer, and see all earlier
 *   commits. Default: the writer
 */
export function sqliteDialect(writer: SharedConnection, reader?: SqliteReader): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new SqliteDriver(writer, reader),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class Adapter extends SqliteAdapter implements TableNaming {
  readonly tableNames = sql<{ name: string }>`select name from sqlite_schema where type = 'table'`;

  /** SQLite can roll back a change of the schema, so that a migration is all or nothing. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The mutex of a connection decides which call waits. Without this, Kysely runs one query at a time, also for reads. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** The connection object of Kysely during a query or a transaction. Only then the real connection is known. */
class Session implements DatabaseConnection {
  readonly #writer: SharedConnection;
  readonly #reader: SqliteReader | undefined;
  /** The connection of an open transaction, and the function that releases it. */
  #held: { readonly connection: SqlConnection; release(): void } | undefined;

  constructor(writer: SharedConnection, reader: SqliteReader | undefined) {
    this.#writer = writer;
    this.#reader = reader;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#held !== undefined) return run(this.#held.connection, query);
    const isRead = query.query.kind === 'SelectQueryNode';
    if (isRead && this.#reader !== undefined) return run(this.#reader.statements, query);
    return this.#writer.mutex.run(() => run(this.#writer, query));
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('a query cannot be streamed from a thread; read it in pages');
  }

  async begin(isReadOnly: boolean): Promise<void> {
    const snapshots = isReadOnly ? this.#reader?.snapshots : undefined;
    const connection = snapshots ?? this.#writer;
    this.#held = { connection, release: await connection.mutex.acquire() };
    // IMMEDIATE takes the write lock first: a transaction that reads and then writes never fails half-way
    // because another process wrote in the meantime.
    await connection.query(snapshots === undefined ? 'begin immediate' : 'begin', []);
  }

  async end(statement: 'commit' | 'rollback'): Promise<void> {
    await this.#held?.connection.query(statement, []);
  }

  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }
}

async function run<Row>(
  connection: SqlConnection,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  const answer = await connection.query(sql, parameters as SQLInputValue[]);
  return {
    rows: answer.rows as Row[],
    numAffectedRows: BigInt(answer.changes),
    insertId: BigInt(answer.lastInsertRowid),
  };
}

class SqliteDriver implements Driver {
  readonly #writer: SharedConnection;
  readonly #reader: SqliteReader | undefined;

  constructor(writer: SharedConnection, reader: SqliteReader | undefined) {
    this.#writer = writer;
    this.#reader = reader;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    return new Session(this.#writer, this.#reader);
  }

  async beginTransaction(session: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    await (session as Session).begin(accessMode === 'read only');
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    await (session as Session).end('commit');
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    // A full disk or an I/O error has rolled back already; the caller gets the error that led here.
    await (session as Session).end('rollback').catch(() => {});
  }

  async releaseConnection(session: DatabaseConnection): Promise<void> {
    (session as Session).release();
  }

  // The code that opened the connections closes them: Kysely calls this only when it has run a query.
  async destroy(): Promise<void> {}
}
