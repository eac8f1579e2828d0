import { StoreUnavailableError } from '@watchword/protocol';
import { Kysely, sql } from 'kysely';
import { countedSegments, noSegments } from '../../grants/token-segments.ts';
import {
  applicableMigrations,
  type MigrationExtent,
  type MigrationReport,
  migrationReport,
  schemaState,
} from '../../schema/migrate.ts';
import { knownSchema, proveWritable, requireMigrated } from '../../schema/required-schema.ts';
import type { Schema } from '../../schema/schema.ts';
import { type AssembledStore, assembleStore } from '../../store/assemble-store.ts';
import { serverStore } from '../../store/server-store.ts';
import type { ServerStore, Store } from '../../store/store.ts';
import { collectStatistics } from './collect-statistics.ts';
import { Logins } from './connection/logins.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { Primaries } from './connection/primaries.ts';
import { damageAdvice } from './connection/store-errors.ts';
import { type DatabaseUrl, parseUrl, withoutPassword } from './connection/url.ts';
import { DatabaseClock } from './database-clock.ts';
import { type DialectOptions, postgresqlDialect } from './dialect.ts';
import { type Engine, findEngine } from './distributed/engine.ts';
import { hotWorkOn } from './distributed/hot-work.ts';
import { migrateTogether } from './distributed/sharding.ts';
import { emptyTable } from './empty-table.ts';
import { announceChange } from './listen.ts';
import { toOpenError } from './open-errors.ts';
import { openListener } from './open-listener.ts';
import { type PostgresqlOptions, settingsOf } from './options.ts';
import { openingPool, servingPools } from './pools.ts';
import { readClock, registryReader } from './registry-reader.ts';
import { requireUsable } from './requirements.ts';
import { adviceAtStart } from './run-checks.ts';
import { namedServer } from './server-name.ts';
import { withoutServers } from './without-servers.ts';

export const toolName = 'watchword-cli';

/** The options of a database that is opened without its stores. */
export type DatabaseOptions = Pick<PostgresqlOptions, 'url' | 'settings'>;

/** Opens the database for a command-line tool, also while servers run. It must be migrated. */
export async function openPostgresqlStore(options: PostgresqlOptions): Promise<Store> {
  return withOpening(options, toolName, async (opening) => {
    await requireMigrated(opening.db, withoutPassword(opening.url));
    const store = assemble(options, opening, toolName);
    try {
      await store.connect();
      await store.readClock();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  });
}

/** Opens the database for a server, migrates it and loads the registered records. Any number of servers can have it open. */
export async function openPostgresqlServerStore(options: PostgresqlOptions): Promise<ServerStore> {
  const applicationName = namedServer(options.release);
  return withOpening(options, applicationName, async (opening) => {
    const migrated = await bringUpToDate(opening, 'expanding');
    await proveWritable(opening.db);
    await using opened = new AsyncDisposableStack();
    const store = assemble(options, opening, applicationName);
    opened.defer(() => store.close());
    await store.connect();
    const listener = await openListener(options, opening, applicationName);
    opened.defer(() => listener?.stop());
    const server = await serverStore(store, {
      migrated,
      damageAdvice,
      size: () => sizeOf(store.db),
      free: async () => undefined,
      watchClock: (report) => store.databaseClock?.watch(report),
      hearChanges: (heard) => listener?.hear(heard),
      connections: store.connections,
      watchLogin: (report) => opening.logins.watch(report),
      readLoginAgain: store.readLoginAgain,
      primary: {
        watch: (report) => opening.primaries.watch(report),
        problem: () => opening.primaries.problem,
        look: store.lookForPrimaries,
      },
      advise: (onError) =>
        adviceAtStart(
          {
            db: store.db,
            open: () => store.open() + (listener === undefined ? 0 : 1),
            settings: settingsOf(options),
            clock: options.clock,
          },
          onError,
        ),
      async release() {
        await listener?.stop();
      },
    });
    opened.move();
    return server;
  });
}

/** @param extent the migrations to apply; `none` only reports them */
export async function migratePostgresql(
  options: DatabaseOptions,
  extent: MigrationExtent | 'none',
): Promise<MigrationReport> {
  return withOpening(options, toolName, async (opening) => {
    const known = await knownSchema(opening.db, withoutPassword(opening.url));
    if (extent === 'none') return migrationReport(known, []);
    const migrated = await bringUpToDate(opening, extent);
    return migrationReport(await schemaState(opening.db), migrated);
  });
}

export interface Opening {
  readonly url: DatabaseUrl;
  readonly logins: Logins;
  readonly primaries: Primaries;
  readonly db: Kysely<Schema>;
  readonly engine: Engine;
  /** Number of connections that are open. */
  readonly open: () => number;
}

/** Opens a connection without time limits. An error before the end of `work` becomes an error with advice for the operator. */
export async function withOpening<Value>(
  options: DatabaseOptions,
  applicationName: string,
  work: (opening: Opening) => Promise<Value>,
): Promise<Value> {
  const url = parseUrl(options.url);
  const logins = new Logins(url, settingsOf(options).urlFile);
  const primaries = new Primaries();
  const pool = openingPool({ url, logins, primaries }, options, applicationName);
  try {
    await pool.open();
    await pool.use((session) => requireUsable(session, withoutPassword(url)));
    const engine = await pool.use(findEngine);
    return await work({
      url,
      logins,
      primaries,
      db: kyselyOver(pool, engine),
      engine,
      open: () => pool.size,
    });
  } catch (error) {
    throw toOpenError(url, error);
  } finally {
    await pool.close();
  }
}

function kyselyOver(pool: ConnectionPool, engine: Engine, more?: DialectOptions): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: postgresqlDialect(pool, { ...more, engine }) });
}

/** Applies pending migrations. */
export async function bringUpToDate(opening: Opening, extent: MigrationExtent): Promise<string[]> {
  const state = await knownSchema(opening.db, withoutPassword(opening.url));
  // The role of a server needs no right to change tables.
  if (applicableMigrations(state, extent).length === 0) return [];
  return migrateTogether(opening, extent);
}

interface PostgresqlStore extends AssembledStore {
  readonly db: Kysely<Schema>;
  /** Absent if the caller has given another clock. */
  readonly databaseClock: DatabaseClock | undefined;
  connections(): ReturnType<NonNullable<ServerStore['connections']>>;
  /** Number of connections that are open. */
  open(): number;
  /** Opens the first connection for requests, without a time limit of a request. @throws NoHostError */
  connect(): Promise<void>;
  /** Corrects the clock. */
  readClock(): Promise<void>;
  readLoginAgain(): Promise<void>;
  lookForPrimaries(): Promise<void>;
}

function assemble(
  options: PostgresqlOptions,
  { url, logins, primaries, engine }: Omit<Opening, 'db' | 'open'>,
  applicationName: string,
): PostgresqlStore {
  const { hot, other } = servingPools({ url, logins, primaries }, options, applicationName, engine);
  const databaseClock = options.isMachineClock === true ? new DatabaseClock(options.clock) : undefined;
  const clock = databaseClock ?? options.clock;
  let worked = 0;
  let committed = 0;
  const onQuery = (milliseconds: number) => {
    worked += milliseconds;
  };
  const db = kyselyOver(other, engine, { onQuery });
  // Shards commit on other machines, which do not get the setting.
  const purging = kyselyOver(other, engine, { onQuery, mayBeLost: engine === 'postgresql' });
  const near = kyselyOver(hot, engine);
  const store = assembleStore({
    hot: hotWorkOn(engine, hot, {
      connections: settingsOf(options).connections,
      changesSince: registryReader(hot, engine, databaseClock),
      onCommit(batchSize) {
        committed += batchSize;
        options.onCommit?.(batchSize);
      },
    }),
    commits: { chunkSize: 64, underWay: 2 },
    db,
    near,
    nearWrites: near,
    purging,
    clock,
    segments: engine === 'postgresql' ? countedSegments() : noSegments,
    announce: announceChange,
    worked: () => worked,
    committed: () => committed,
    emptyTable,
    observer: options.observer,
    withoutServers: (work) => withoutServers(db, withoutPassword(url), work),
    async close() {
      await Promise.all([hot.close(), other.close()]);
    },
  });
  const clockRead = async () => {
    if (databaseClock !== undefined) await readClock(hot, engine, databaseClock);
  };
  const connections = () => ({ requests: hot.counts(), other: other.counts() });
  return {
    ...store,
    purge: engine === 'postgresql' ? withStatistics(store.purge, db) : store.purge,
    db,
    databaseClock,
    connect: () => hot.open(),
    readClock: clockRead,
    connections,
    readLoginAgain: () => hot.readLoginAgain(),
    lookForPrimaries: () => hot.lookForPrimaries(),
    open: () => hot.size + other.size,
  };
}

function withStatistics(purge: Store['purge'], db: Kysely<Schema>): Store['purge'] {
  return async (options) => {
    const report = await purge(options);
    try {
      await collectStatistics(db);
    } catch (error) {
      // It can take longer than a statement may. The next purge tries again, and so does autovacuum.
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
    return report;
  };
}

async function sizeOf(db: Kysely<Schema>): Promise<number> {
  const answer = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  return answer.rows[0]?.bytes ?? 0;
}
