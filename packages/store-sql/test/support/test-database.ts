import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { copyMigrated, hasDatabase } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/servers/engine';
import { sql } from '@watchword/server-testkit/servers/sql';
import { FakeClock } from '@watchword/testkit';
import {
  type MigrationExtent,
  type MigrationReport,
  migrate,
  openServerStore,
  openStore,
  type ServerStore,
  type Store,
} from '../../src/index.ts';

/** A database of the engine, with a directory of its own. After the test every store is closed, and both are deleted. */
export interface TestDatabase extends AsyncDisposable {
  /** The file of SQLite, or that for which the database of PostgreSQL stands. */
  readonly file: string;
  readonly clock: FakeClock;
  /** Another file in the same directory. */
  path(name: string): string;
  /** What `--database` names. */
  location(): Promise<string>;
  migrate(extent: MigrationExtent | 'none'): Promise<MigrationReport>;
  /** Opens it as the server does, and migrates a new one. */
  openServer(onCommit?: (batchSize: number) => void): Promise<ServerStore>;
  /** Opens it as a command-line tool does. */
  openTool(): Promise<Store>;
  /** Runs a statement on a connection apart from the store. Its parameters are `?`. */
  sql(text: string, ...values: readonly SQLInputValue[]): ReturnType<typeof sql>;
  /** The number of rows in a table, which a condition can follow. */
  count(rows: string): Promise<number>;
  /** A connection to SQLite apart from the store; closed after the test at the latest. */
  connect(): DatabaseSync;
}

export async function testDatabase(): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-store-'));
  const file = join(directory, 'test.db');
  const clock = new FakeClock();
  let made: Promise<void> | undefined;
  const open = new Set<Store>();
  const connections = new Set<DatabaseSync>();

  const track = <Opened extends Store>(store: Opened): Opened => {
    open.add(store);
    const close = async () => {
      if (open.delete(store)) await store.close();
    };
    return { ...store, close };
  };
  const location = () => databaseFor(file);
  const run: TestDatabase['sql'] = (text, ...values) => sql(file, text, ...values);

  return {
    file,
    clock,
    path: (name) => join(directory, name),
    location,
    migrate: async (extent) => migrate({ database: await location(), extent }),
    async openServer(onCommit = () => {}) {
      made ??= hasDatabase(file) ? Promise.resolve() : copyMigrated(file);
      await made;
      return track(await openServerStore({ database: await location(), clock, onCommit }));
    },
    openTool: async () => track(await openStore({ database: await location(), clock })),
    sql: run,
    async count(rows) {
      const [counted] = await run(`select count(*) as found from ${rows}`);
      return Number(counted?.found);
    },
    connect() {
      const connection = new DatabaseSync(file, { timeout: 0 });
      connections.add(connection);
      return connection;
    },
    async [Symbol.asyncDispose]() {
      for (const connection of connections) if (connection.isOpen) connection.close();
      for (const store of open) await store.close();
      await dropDatabases(directory);
      await rm(directory, { recursive: true });
    },
  };
}
