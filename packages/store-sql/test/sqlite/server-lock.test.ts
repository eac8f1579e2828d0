import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StoreUnavailableError } from '@watchword/protocol';
import { until } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { slowTest, tokenFactory } from '@watchword/testkit';
import { ServerLock } from '../../src/dialects/sqlite/server-lock.ts';
import { DatabaseOpenError } from '../../src/index.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'one server at a time opens the file');

function refusedNaming(database: TestDatabase, pid: number | undefined) {
  return (error: unknown) => {
    assert.ok(error instanceof DatabaseOpenError, String(error));
    assert.ok(error.message.includes(`process ${pid},`), error.message);
    assert.ok(error.message.includes(database.file), error.message);
    return true;
  };
}

/** A server in another process that has inserted a token with the id and keeps running. */
async function serverProcess({ file }: TestDatabase, id: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../support/server-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', program, file, id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const outcome = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  assert.match(String(outcome[0]), /inserted/);
  return child;
}

describe('one database serves one server', only, () => {
  it('a second server is rejected with the process that has the database', async () => {
    await using database = await testDatabase();
    await database.openServer();
    await assert.rejects(database.openServer(), refusedNaming(database, process.pid));
  });

  it('the rejection does not affect the first server', async () => {
    await using database = await testDatabase();
    const { accessTokens } = await database.openServer();
    await assert.rejects(database.openServer(), DatabaseOpenError);
    const token = tokenFactory()();
    await accessTokens.insert(token);
    assert.notEqual(await accessTokens.find(token.id), undefined);
    await assert.rejects(database.openServer(), DatabaseOpenError);
  });

  it('no lock is made or written behind a symbolic link, and the error names it', async () => {
    await using database = await testDatabase();
    const [missing, empty] = [database.path('missing'), database.path('empty')];
    writeFileSync(empty, '');
    const refused = (error: unknown) =>
      error instanceof DatabaseOpenError && error.message.includes(`${database.file}.lock`);
    for (const target of [missing, empty]) {
      symlinkSync(target, `${database.file}.lock`);
      await assert.rejects(database.openServer(), refused);
      rmSync(`${database.file}.lock`);
    }
    assert.ok(!existsSync(missing));
    assert.equal(readFileSync(empty).length, 0);
  });

  it('of several servers that start at once, one serves', async () => {
    await using database = await testDatabase();
    const started = await Promise.allSettled([1, 2, 3].map(() => database.openServer()));
    assert.equal(started.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of started) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof DatabaseOpenError);
    }
  });

  it('tools work beside a server, and both see the writes of the other', async () => {
    await using database = await testDatabase();
    const server = await database.openServer();
    const [one, two] = [await database.openTool(), await database.openTool()];
    const make = tokenFactory();
    for (const [writer, reader] of [
      [server, one],
      [one, server],
      [two, one],
    ] as const) {
      const token = make();
      await writer.accessTokens.insert(token);
      assert.notEqual(await reader.accessTokens.find(token.id), undefined);
    }
  });

  it('a server whose lock file was deleted takes the lock again, so that a second server is rejected', async () => {
    await using database = await testDatabase();
    const { accessTokens } = await database.openServer();
    const lock = `${database.file}.lock`;
    rmSync(lock);
    await until(() => existsSync(lock));
    await assert.rejects(database.openServer(), refusedNaming(database, process.pid));
    await accessTokens.insert(tokenFactory()());
  });

  it('a server writes nothing after its lock file was deleted and another server has started', async () => {
    await using database = await testDatabase();
    const { accessTokens, check } = await database.openServer();
    rmSync(`${database.file}.lock`);
    // Before the first one looks again.
    const second = ServerLock.acquire(database.file);
    try {
      await until(() =>
        check().then(
          () => false,
          () => true,
        ),
      );
      const refused = (error: Error) =>
        error instanceof StoreUnavailableError && /lock file .* was deleted.*process \d+/.test(error.message);
      await assert.rejects(accessTokens.insert(tokenFactory()()), refused);
      await assert.rejects(check(), refused);
    } finally {
      second.release();
    }
  });

  it('another server can open the database after the first is closed', async () => {
    await using database = await testDatabase();
    await (await database.openServer()).close();
    await (await database.openServer()).close();
    await database.openServer();
  });

  it('the database is free again after a failed opening', async () => {
    await using database = await testDatabase();
    mkdirSync(database.file);
    await assert.rejects(database.openServer(), DatabaseOpenError);
    await assert.rejects(database.openServer(), (error: Error) => !error.message.includes('process'));
  });

  slowTest('a killed process releases the database, with all its resolved writes', async () => {
    await using database = await testDatabase();
    const token = tokenFactory()();
    const child = await serverProcess(database, token.id);
    await assert.rejects(database.openServer(), refusedNaming(database, child.pid));
    child.kill('SIGKILL');
    await once(child, 'close');
    const { accessTokens } = await database.openServer();
    assert.equal((await accessTokens.find(token.id))?.id, token.id);
  });
});
