import type { SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteWriter } from './writer.ts';

/** Kysely over the writer thread. */
export function sqliteDialect(writer: SqliteWriter): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new WriterDriver(writer),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Tells Kysely that SQLite can roll back a change of the schema, so that a migration is all or nothing. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class WriterConnection implements DatabaseConnection {
  readonly release: () => void;
  readonly #writer: SqliteWriter;

  constructor(writer: SqliteWriter, release: () => void) {
    this.#writer = writer;
    this.release = release;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.#writer.query(sql, parameters as SQLInputValue[]);
    return {
      rows: answer.rows as Row[],
      numAffectedRows: BigInt(answer.changes),
      insertId: BigInt(answer.lastInsertRowid),
    };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('a query cannot be streamed from the writer thread; read it in pages');
  }
}

class WriterDriver implements Driver {
  readonly #writer: SqliteWriter;

  constructor(writer: SqliteWriter) {
    this.#writer = writer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<WriterConnection> {
    return new WriterConnection(this.#writer, await this.#writer.mutex.acquire());
  }

  // IMMEDIATE takes the write lock first: a transaction that reads and then writes never fails half-way
  // because another process wrote in between.
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk or an I/O error has rolled back already; what counts is the error that led here.
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as WriterConnection).release();
  }

  // Whoever opened the writer closes it: Kysely calls this only once it has run a query.
  async destroy(): Promise<void> {}
}
