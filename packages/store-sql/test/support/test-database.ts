import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copyMigrated } from '@watchword/server-testkit/database-template';
import { FakeClock } from '@watchword/testkit';
import { openSqliteServerStore, openSqliteStore, type ServerStore, type Store } from '../../src/index.ts';

/** A database file in a directory of its own. After the test every store is closed and the directory is deleted. */
export interface TestDatabase extends AsyncDisposable {
  readonly file: string;
  readonly clock: FakeClock;
  /** Another file in the same directory. */
  path(name: string): string;
  /** Opens it as the server does, and migrates a new one. */
  openServer(onCommit?: (batchSize: number) => void): Promise<ServerStore>;
  /** Opens it as a command-line tool does. */
  openTool(): Promise<Store>;
  /** A connection apart from the store; closed after the test at the latest. */
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

  return {
    file,
    clock,
    path: (name) => join(directory, name),
    async openServer(onCommit = () => {}) {
      made ??= existsSync(file) ? Promise.resolve() : copyMigrated(file);
      await made;
      return track(await openSqliteServerStore({ file, clock, onCommit }));
    },
    openTool: async () => track(await openSqliteStore({ file, clock })),
    connect() {
      const connection = new DatabaseSync(file, { timeout: 0 });
      connections.add(connection);
      return connection;
    },
    async [Symbol.asyncDispose]() {
      for (const connection of connections) if (connection.isOpen) connection.close();
      for (const store of open) await store.close();
      await rm(directory, { recursive: true });
    },
  };
}
