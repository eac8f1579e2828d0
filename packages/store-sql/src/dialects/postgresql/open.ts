import { Kysely, sql } from 'kysely';
import { type AssembledStore, assembleStore } from '../../assemble-store.ts';
import { DatabaseOpenError } from '../../database-open-error.ts';
import {
  migrationReport,
  missingMigrations,
  type SchemaState,
  schemaProblem,
  schemaState,
} from '../../migrate.ts';
import type { Schema } from '../../schema.ts';
import { serverStore } from '../../server-store.ts';
import type { MigrationExtent, MigrationReport, ServerStore, Store } from '../../store.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { damageAdvice } from './connection/store-errors.ts';
import { type DatabaseUrl, parseUrl, withoutPassword } from './connection/url.ts';
import { postgresqlDialect } from './dialect.ts';
import { type Engine, findEngine } from './distributed/engine.ts';
import { hotWorkOn } from './distributed/hot-work.ts';
import { emptyTable } from './empty-table.ts';
import { migrateTogether } from './migrate-together.ts';
import { toOpenError } from './open-errors.ts';
import { type PostgresqlOptions, settingsOf } from './options.ts';
import { openingPool, servingPools } from './pools.ts';
import { registryReader } from './registry-reader.ts';
import { requireUsable } from './requirements.ts';
import { withoutServers } from './without-servers.ts';

export const toolName = 'watchword-cli';
/** Servers are known by the name of their connections. */
export const serverName = 'watchword';

/** The options of a database that is opened without its stores. */
export type DatabaseOptions = Pick<PostgresqlOptions, 'url' | 'settings'>;

/** Opens the database for a command-line tool, also while servers run. It must be migrated. */
export async function openPostgresqlStore(options: PostgresqlOptions): Promise<Store> {
  return withOpening(options, toolName, async ({ url, db, engine }) => {
    const pending = missingMigrations(await knownSchema(url, db));
    if (pending.length > 0) {
      throw new DatabaseOpenError(
        `The database ${withoutPassword(url)} lacks the migrations ${pending.join(', ')}. Run "watchword migrate", or start the server, which does so.`,
      );
    }
    return assemble(options, url, engine, toolName);
  });
}

/** Opens the database for a server, migrates it and loads the registered records. Any number of servers can have it open. */
export async function openPostgresqlServerStore(options: PostgresqlOptions): Promise<ServerStore> {
  return withOpening(options, serverName, async ({ url, db, engine }) => {
    const migrated = await bringUpToDate({ url, db, engine }, 'expanding');
    await proveWritable(db);
    const store = await assemble(options, url, engine, serverName);
    try {
      return await serverStore(store, {
        migrated,
        damageAdvice,
        size: () => sizeOf(store.db),
        free: async () => undefined,
        release: () => {},
      });
    } catch (error) {
      await store.close();
      throw error;
    }
  });
}

/** Applies pending migrations. With `dryRun`, only reports them. */
export async function migratePostgresql(
  options: DatabaseOptions,
  extent: MigrationExtent | 'none',
): Promise<MigrationReport> {
  return withOpening(options, toolName, async ({ url, db, engine }) => {
    await knownSchema(url, db);
    const migrated = extent === 'none' ? [] : await bringUpToDate({ url, db, engine }, extent);
    return migrationReport(db, migrated);
  });
}

/** Runs the work on a database that is not migrated, and closes it. @throws DatabaseOpenError */
export function withDatabase<Value>(
  options: DatabaseOptions,
  work: (db: Kysely<Schema>) => Promise<Value>,
): Promise<Value> {
  return withOpening(options, toolName, ({ db }) => work(db));
}

export interface Opening {
  readonly url: DatabaseUrl;
  readonly db: Kysely<Schema>;
  readonly engine: Engine;
}

/** Opens a connection without time limits. An error before the end of `work` becomes an error with advice for the operator. */
export async function withOpening<Value>(
  options: DatabaseOptions,
  applicationName: string,
  work: (opening: Opening) => Promise<Value>,
): Promise<Value> {
  const url = parseUrl(options.url);
  const pool = openingPool(url, options, applicationName);
  try {
    await pool.open();
    const engine = await pool.use(async (session) => {
      await requireUsable(session, withoutPassword(url));
      return findEngine(session);
    });
    return await work({ url, db: kyselyOver(pool, { engine }), engine });
  } catch (error) {
    throw toOpenError(url, error);
  } finally {
    await pool.close();
  }
}

function kyselyOver(pool: ConnectionPool, options: Parameters<typeof postgresqlDialect>[1]): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: postgresqlDialect(pool, options) });
}

/** Applies pending migrations. */
export async function bringUpToDate(
  { url, db, engine }: Opening,
  extent: MigrationExtent,
): Promise<string[]> {
  const state = await knownSchema(url, db);
  const applicable = extent === 'all' ? state.pending : missingMigrations(state);
  // The role of a server needs no right to change tables.
  if (applicable.length === 0) return [];
  return migrateTogether(db, engine, extent);
}

async function assemble(
  options: PostgresqlOptions,
  url: DatabaseUrl,
  engine: Engine,
  applicationName: string,
): Promise<AssembledStore & { readonly db: Kysely<Schema> }> {
  const { hot, other } = servingPools(url, options, { applicationName, engine });
  let worked = 0;
  let committed = 0;
  const db = kyselyOver(other, {
    engine,
    onQuery: (milliseconds) => {
      worked += milliseconds;
    },
  });
  const store = assembleStore({
    hot: await hotWorkOn(engine, hot, {
      connections: settingsOf(options).connections,
      changesSince: registryReader(hot),
      onCommit(batchSize) {
        committed += batchSize;
        options.onCommit?.(batchSize);
      },
    }),
    commits: { chunkSize: 64, underWay: 2 },
    db,
    near: kyselyOver(hot, { engine }),
    clock: options.clock,
    worked: () => worked,
    committed: () => committed,
    emptyTable,
    withoutServers: (work) => withoutServers(db, withoutPassword(url), serverName, work),
    async close() {
      await Promise.all([hot.close(), other.close()]);
    },
  });
  return { ...store, db };
}

async function proveWritable(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('registry_revision')
    .set((update) => ({ id: update.ref('id') }))
    .execute();
}

/** @throws DatabaseOpenError for a database with migrations that this release cannot work with */
async function knownSchema(url: DatabaseUrl, db: Kysely<Schema>): Promise<SchemaState> {
  const state = await schemaState(db);
  const problem = schemaProblem(state);
  if (problem === undefined) return state;
  throw new DatabaseOpenError(`The database ${withoutPassword(url)} ${problem} Nothing was changed.`);
}

async function sizeOf(db: Kysely<Schema>): Promise<number> {
  const answer = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  return answer.rows[0]?.bytes ?? 0;
}
