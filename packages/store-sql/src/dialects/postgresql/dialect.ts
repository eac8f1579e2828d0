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
import type { TableNaming } from '../../schema/table-names.ts';
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

export interface DialectOptions {
  readonly onQuery?: OnQuery | undefined;
  readonly engine?: Engine;
  /** Commits of single statements do not wait for the disk. Default: they do. */
  readonly mayBeLost?: boolean;
}

// Of the transaction that is one statement. It has the order of all commits in the log.
const withoutSync: SessionQuery = {
  name: 'without-sync',
  text: `select set_config('synchronous_commit', 'off', true)`,
  values: [],
};

/** Kysely over PostgreSQL. */
export function postgresqlDialect(
  pool: ConnectionPool,
  { onQuery = () => {}, engine = 'postgresql', mayBeLost = false }: DialectOptions = {},
): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new PostgresqlDriver(pool, onQuery, mayBeLost ? [withoutSync] : []),
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
  readonly #beforeChanges: readonly SessionQuery[];

  constructor(connection: PostgresqlConnection, onQuery: OnQuery, beforeChanges: readonly SessionQuery[]) {
    this.connection = connection;
    this.#onQuery = onQuery;
    this.#beforeChanges = beforeChanges;
  }

  async executeQuery<Row>({ sql: text, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const types = parameters.map(typeOfParameter);
    const isAlone = !this.#isBegun && query.kind !== 'SelectQueryNode';
    const before = isAlone ? this.#beforeChanges : this.#begin;
    const result = await this.#run({ text, values: parameters, types }, before);
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

  async #run(query: SessionQuery, before = this.#begin): Promise<SessionResult> {
    this.#begin = [];
    const start = performance.now();
    try {
      const results = await this.connection.pipeline([...before, query]);
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
  readonly #beforeChanges: readonly SessionQuery[];

  constructor(pool: ConnectionPool, onQuery: OnQuery, beforeChanges: readonly SessionQuery[]) {
    this.#pool = pool;
    this.#onQuery = onQuery;
    this.#beforeChanges = beforeChanges;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<KyselyConnection> {
    return new KyselyConnection(await this.#pool.acquire(), this.#onQuery, this.#beforeChanges);
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
