import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { sql } from '@watchword/server-testkit/servers/sql';
import { damagePage, leafPages, tokenFactory } from '@watchword/testkit';
import { backupSqlite, checkSqlite, DatabaseOpenError, migrateSqlite } from '../../src/index.ts';
import { idsIn } from '../support/rows.ts';
import { testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'backups are made by its own commands elsewhere');

function withAdvice(advice: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof DatabaseOpenError, String(error));
    assert.match(error.message, advice);
    return true;
  };
}

describe('a backup', only, () => {
  it('contains all writes that resolved before it, is valid, and is one file for this user only', async () => {
    await using database = await testDatabase();
    const { accessTokens } = await database.openServer();
    const make = tokenFactory();
    const before = Array.from({ length: 500 }, () => make());
    await Promise.all(before.map((token) => accessTokens.insert(token)));
    const to = database.path('backup.db');
    let isOver = false;
    const load = (async () => {
      while (!isOver) await accessTokens.insert(make());
    })();
    const { bytes } = await backupSqlite(database.file, to);
    isOver = true;
    await load;
    assert.equal(statSync(to).size, bytes);
    assert.equal(statSync(to).mode & 0o077, 0);
    assert.deepEqual(checkSqlite(to), []);
    const kept = new Set(await idsIn({ sql: (text) => sql(to, text) }, 'access_token'));
    assert.deepEqual(
      before.filter(({ id }) => !kept.has(id)),
      [],
    );
    const beside = readdirSync(dirname(to)).filter((name) => name.startsWith('backup.db'));
    assert.deepEqual(beside, ['backup.db']);
  });

  it('replaces no file', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, 'all');
    const to = database.path('notes.txt');
    writeFileSync(to, 'notes');
    await assert.rejects(backupSqlite(database.file, to), withAdvice(/replaces none/));
    assert.equal(statSync(to).size, 5);
  });

  it('is not made of a damaged database', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, 'all');
    damagePage(database.file, leafPages(database.file, 'account')[0] ?? 0);
    await assert.rejects(backupSqlite(database.file, database.path('backup.db')), withAdvice(/is damaged/));
    assert.deepEqual(
      readdirSync(dirname(database.file)).filter((name) => name.startsWith('backup')),
      [],
    );
  });

  it('is made in a directory of this user alone, where nobody can put a log beside it', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, 'all');
    const names = () => readdirSync(dirname(database.file)).filter((name) => name.startsWith('backup'));
    for (const [to, leave] of [
      ['backup.db', () => {}],
      ['backup2.db', () => mkdirSync(database.path('backup2.db.partial'), { mode: 0o700 })],
      ['backup3.db', () => writeFileSync(database.path('backup3.db.partial'), '')],
    ] as const) {
      leave();
      const before = names().filter((name) => !name.endsWith('.partial'));
      const running = backupSqlite(database.file, database.path(to));
      assert.deepEqual(names(), [...before, `${to}.partial`]);
      const made = statSync(database.path(`${to}.partial`));
      assert.ok(made.isDirectory());
      if (process.platform !== 'win32') assert.equal(made.mode & 0o777, 0o700);
      await running;
      assert.deepEqual(names(), [...before, to]);
    }
    if (process.platform === 'win32') return;
    mkdirSync(database.path('backup4.db.partial'));
    chmodSync(database.path('backup4.db.partial'), 0o777);
    await assert.rejects(
      backupSqlite(database.file, database.path('backup4.db')),
      withAdvice(/Cannot write .*backup4\.db\.partial/),
    );
  });

  it('needs a database of Watchword, and an existing directory', async () => {
    await using database = await testDatabase();
    const to = database.path('backup.db');
    await assert.rejects(backupSqlite(database.file, to), withAdvice(/There is no database/));
    new DatabaseSync(database.file).exec('create table recipe (id integer)');
    await assert.rejects(backupSqlite(database.file, to), withAdvice(/another application/));
    await migrateSqlite(database.path('own.db'), 'all');
    await assert.rejects(
      backupSqlite(database.path('own.db'), database.path('none/backup.db')),
      withAdvice(/Cannot write .*none\/backup\.db\.partial.*Create the directory/),
    );
  });
});
