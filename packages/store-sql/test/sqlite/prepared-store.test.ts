import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { DatabaseOpenError, openServerStore, prepareServerStore } from '../../src/index.ts';
import { testDatabase } from '../support/test-database.ts';

/** Prepares the store, and finds the thread that has begun. */
async function preparedStore(database: string) {
  const begun = once(process, 'worker');
  const prepared = prepareServerStore(database);
  assert.ok(prepared);
  const [thread] = (await begun) as [Worker];
  return { prepared, thread };
}

/** Fails the test if a thread begins. */
function refuseThreads(context: TestContext): void {
  const refuse = () => assert.fail('a thread has begun');
  process.on('worker', refuse);
  context.after(() => process.off('worker', refuse));
}

describe('a prepared store', onlyOn('sqlite', 'the thread that writes'), () => {
  it('opens the database by the thread that has begun, and by no other', async (context) => {
    await using database = await testDatabase();
    const { file, clock } = database;
    const { prepared } = await preparedStore(file);
    refuseThreads(context);
    const store = await openServerStore({ database: file, clock, prepared });
    await prepared[Symbol.asyncDispose]();
    await store.close();
  });

  it('ends its thread when it is disposed of and nothing was opened', async () => {
    await using database = await testDatabase();
    const { prepared, thread } = await preparedStore(database.file);
    await Promise.all([once(thread, 'exit'), prepared[Symbol.asyncDispose]()]);
  });

  it('ends its thread when another server has the database', async () => {
    await using database = await testDatabase();
    await database.openServer();
    const { file, clock } = database;
    const { prepared, thread } = await preparedStore(file);
    await assert.rejects(openServerStore({ database: file, clock, prepared }), DatabaseOpenError);
    await Promise.all([once(thread, 'exit'), prepared[Symbol.asyncDispose]()]);
  });

  it('fails the opening if its thread has ended', async () => {
    await using database = await testDatabase();
    const { file, clock } = database;
    const { prepared, thread } = await preparedStore(file);
    const ended = once(thread, 'exit');
    await thread.terminate();
    await ended;
    await assert.rejects(
      openServerStore({ database: file, clock, prepared }),
      /has ended before its opening/,
    );
  });

  it('opens one database only', async () => {
    await using database = await testDatabase();
    const { file, clock } = database;
    const { prepared } = await preparedStore(file);
    const store = await openServerStore({ database: file, clock, prepared });
    const other = { database: database.path('other.db'), clock, prepared };
    await assert.rejects(openServerStore(other), /has a file already/);
    await store.close();
  });

  it('begins nothing for PostgreSQL', (context) => {
    refuseThreads(context);
    assert.equal(prepareServerStore('postgresql://localhost/watchword'), undefined);
  });
});
