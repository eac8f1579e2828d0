import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { databaseFor, isUrl } from '@watchword/server-testkit/servers/engine';
import { demoClient, type TestServer } from '@watchword/server-testkit/servers/server';
import { tableNames, whenFree } from '@watchword/server-testkit/servers/sql';
import { openTransaction } from '@watchword/testkit/postgresql';

/** Locks the database like another process, so that no other connection can write until it is disposed of. */
export async function writeLock(database: string): Promise<AsyncDisposable> {
  const location = await databaseFor(database);
  if (isUrl(location)) {
    const tables = await tableNames(location);
    return openTransaction(location, `lock table ${tables.join(', ')} in exclusive mode`);
  }
  const other = new DatabaseSync(location, { timeout: 0 });
  // The server can be in the middle of a write of its own.
  await whenFree(() => other.exec('begin immediate'));
  return { [Symbol.asyncDispose]: async () => other.close() };
}

/** A write lock that the server has met. Until then a commit of the last second is its proof that it can write. */
export async function provenWriteLock(
  server: Pick<TestServer, 'database' | 'post'>,
): Promise<AsyncDisposable> {
  const lock = await writeLock(server.database);
  const refused = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
  assert.equal(refused.status, 503);
  return lock;
}
