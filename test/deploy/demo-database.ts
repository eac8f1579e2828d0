import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/servers/engine';
import { copyDemo } from '@watchword/server-testkit/servers/server';

/** A database of PostgreSQL with the demo records. */
export async function demoDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const directory = await temporaryDirectory();
  const file = directory.file('demo.db');
  await copyDemo(file, 'postgresql');
  const url = await databaseFor(file, 'postgresql');
  return {
    url,
    async [Symbol.asyncDispose]() {
      await dropDatabases(directory.path);
      await directory[Symbol.asyncDispose]();
    },
  };
}
