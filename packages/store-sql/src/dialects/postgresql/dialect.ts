import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseMetadataOptions,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
  type TableMetadata,
  type TransactionSettings,
} from 'kysely';
import type { TableNaming } from '../../table-names.ts';
import type { PostgresqlConnection } from './connection/connection.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { commit, rollback, type SessionQuery, type SessionResult } from './connection/session.ts';
import { toStoreError } from './connection/store-errors.ts';
import { typeOfParameter } from './connection/values.ts';
import type { Engine } from './distributed/engine.ts';
import { ShardedQueryCompiler } from './distributed/sharded-compiler.ts';
import { toRecords } from './records.ts';

/** Called with the milliseconds that a statement took. */
type OnQuery = (milliseconds: number) => void;

interface DialectOptions {
  readonly onQuery?: OnQuery | undefined;
  readonly engine?: Engine;
}

/** Kysely over PostgreSQL. */
export function postgresqlDialect(
  pool: ConnectionPool,
  { onQuery = () => {}, engine = 'postgresql' }: DialectOptions = {},
): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new PostgresqlDriver(pool, onQuery),
    createIntrospector: (db: Kysely<unknown>) => new Introspector(db),
    createQueryCompiler: () =>
      engine === 'postgresql' ? new PostgresQueryCompiler() : new ShardedQueryCompiler(),
  };
}

class Adapter extends PostgresAdapter implements TableNaming {
  readonly tableNames = sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = current_schema()`;

  // The transaction of the migrations has a lock already.
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** The tables of the schema in which tables are created. Another one can have the tables of another application. */
class Introspector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const current = await sql<{ name: string }>`select current_schema() as name`.execute(this.#db);
    const tables = await super.getTables(options);
    return tables.filter(({ schema }) => schema === current.rows[0]?.name);
  }
}

/** The connection object of Kysely during a query or a transaction. */
class KyselyConnection implements DatabaseConnection {
  readonly connection: PostgresqlConnection;
  readonly #onQuery: OnQuery;
  /** Sent with the first statement of a transaction, which saves a round trip. */
  #begin: readonly SessionQuery[] = [];
  #isBegun = false;

  constructor(connection: PostgresqlConnection, onQuery: OnQuery) {
    this.connection = connection;
    this.#onQuery = onQuery;
  }

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const types = parameters.map(typeOfParameter);
    const result = await this.#run({ text, values: parameters, types });
    return { rows: toRecords(result) as Row[], numAffectedRows: BigInt(result.changes) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('a query is not streamed; read it in pages');
  }

  begin(isReadOnly: boolean): void {
    this.#begin = this.connection.begin(isReadOnly ? 'read only' : undefined);
    this.#isBegun = true;
  }

  async commit(): Promise<void> {
    const hasWork = this.#begin.length === 0;
    this.#begin = [];
    this.#isBegun = false;
    if (!hasWork) return;
    const { command } = await this.#run(commit);
    if (command === 'ROLLBACK')
      throw new Error('PostgreSQL rolled back a transaction in which a statement had failed');
  }

  async rollback(): Promise<void> {
    const hasWork = this.#isBegun && this.#begin.length === 0;
    this.#begin = [];
    this.#isBegun = false;
    // The caller gets the error that led here.
    if (hasWork && this.connection.isUsable) await this.#run(rollback).catch(() => {});
  }

  async #run(query: SessionQuery): Promise<SessionResult> {
    const begin = this.#begin;
    this.#begin = [];
    const start = performance.now();
    try {
      const results = await this.connection.pipeline([...begin, query]);
      return results.at(-1) as SessionResult;
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.#onQuery(performance.now() - start);
    }
  }
}

class PostgresqlDriver implements Driver {
  readonly #pool: ConnectionPool;
  readonly #onQuery: OnQuery;

  constructor(pool: ConnectionPool, onQuery: OnQuery) {
    this.#pool = pool;
    this.#onQuery = onQuery;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<KyselyConnection> {
    return new KyselyConnection(await this.#pool.acquire(), this.#onQuery);
  }

  async beginTransaction(session: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    (session as KyselyConnection).begin(accessMode === 'read only');
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    await (session as KyselyConnection).commit();
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    await (session as KyselyConnection).rollback();
  }

  async releaseConnection(session: DatabaseConnection): Promise<void> {
    this.#pool.release((session as KyselyConnection).connection);
  }

  // The code that made the pool closes it: Kysely calls this only when it has run a query.
  async destroy(): Promise<void> {}
}
