import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { rounds, tokenFactory } from '@watchword/testkit';
import { SqliteWriter } from '../../src/dialects/sqlite/threads/writer.ts';
import { commandOf } from '../../src/hot/command.ts';
import { statements } from '../../src/hot/statements.ts';
import { migratedFile } from '../support/migrated-file.ts';
import { testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'the thread that writes');

async function open(file: string): Promise<SqliteWriter> {
  await migratedFile(file);
  return SqliteWriter.open({ file, busyTimeout: 0 }, () => {});
}

/** Closes the writer after the work, also after an error: an open one keeps the process alive. */
async function withWriter(work: (writer: SqliteWriter) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const writer = await open(database.file);
  try {
    await work(writer);
  } finally {
    await writer.close();
  }
}

describe('the connection that writes', only, () => {
  // The limit is for a connection that never answers.
  it('rejects every write as unavailable after it was closed', { timeout: 30_000 }, async () => {
    await using database = await testDatabase();
    const writer = await open(database.file);
    const command = commandOf(statements.deleteAccessToken, { id: tokenFactory()().id });
    await writer.close();
    await assert.rejects(writer.query('select 1', []), StoreUnavailableError);
    await assert.rejects(writer.commit([command]), StoreUnavailableError);
  });

  it('waits for the disk at every commit, but not for a statement that may be lost', async () => {
    await withWriter(async (writer) => {
      const synchronous = async ({ query }: Pick<SqliteWriter, 'query'>) =>
        (await query.call(writer, 'pragma synchronous', [])).rows;
      const [full, normal] = [[{ synchronous: 2 }], [{ synchronous: 1 }]];
      assert.deepEqual(await synchronous(writer.withoutSync), normal);
      assert.deepEqual(await synchronous(writer), full);
      await assert.rejects(writer.withoutSync.query('delete from nothing', []));
      assert.deepEqual(await synchronous(writer), full);
      await writer.query('begin immediate', []);
      assert.deepEqual(await synchronous(writer.withoutSync), full);
      await writer.query('rollback', []);
    });
  });

  it('distinguishes an error of the program from an error of the disk', async () => {
    await withWriter(async (writer) => {
      await assert.rejects(writer.query('select from nowhere', []), (error: Error) => {
        return !(error instanceof StoreUnavailableError) && /SQLite: .*syntax error/.test(error.message);
      });
      await writer.query('create table filler (bytes)', []);
      await writer.query('pragma max_page_count = 4', []);
      const tooMuch = writer.query('insert into filler values (zeroblob(100000))', []);
      await assert.rejects(tooMuch, StoreUnavailableError);
    });
  });

  it('is closed without a report about the loss of its thread', async (context) => {
    await using database = await testDatabase();
    const uncaught: Error[] = [];
    const record = (error: Error) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', record);
    context.after(() => process.off('uncaughtExceptionMonitor', record));
    const files = Array.from({ length: rounds(5, 16) }, (_, index) => database.path(`${index}.db`));
    await Promise.all(files.map(async (file) => (await open(file)).close()));
    assert.deepEqual(uncaught, []);
  });

  it('syncs every commit', async () => {
    await withWriter(async (writer) => {
      const full = 2;
      assert.deepEqual((await writer.query('pragma synchronous', [])).rows, [{ synchronous: full }]);
    });
  });

  it('writes in WAL mode once a server has opened the database', async () => {
    await using database = await testDatabase();
    await (await database.openServer()).close();
    // Bytes 18 and 19 of the header: 1 = rollback journal, 2 = WAL (sqlite.org/fileformat2.html).
    assert.deepEqual([...readFileSync(database.file).subarray(18, 20)], [2, 2]);
  });
});
