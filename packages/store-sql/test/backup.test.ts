import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { damagePage, leafPages, tokenFactory } from '@watchword/testkit';
import { backupSqlite, checkSqlite, DatabaseOpenError, migrateSqlite } from '../src/index.ts';
import { idsIn } from './support/rows.ts';
import { testDatabase } from './support/test-database.ts';

function told(advice: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof DatabaseOpenError, String(error));
    assert.match(error.message, advice);
    return true;
  };
}

describe('a backup', () => {
  it('holds all that was acknowledged before it, is sound, and is one file for this user alone', async () => {
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
    const copy = new DatabaseSync(to, { readOnly: true });
    const kept = new Set(idsIn(copy, 'access_token'));
    copy.close();
    assert.deepEqual(
      before.filter(({ id }) => !kept.has(id)),
      [],
    );
    const beside = readdirSync(dirname(to)).filter((name) => name.startsWith('backup.db'));
    assert.deepEqual(beside, ['backup.db']);
  });

  it('replaces no file', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    const to = database.path('notes.txt');
    writeFileSync(to, 'notes');
    await assert.rejects(backupSqlite(database.file, to), told(/replaces none/));
    assert.equal(statSync(to).size, 5);
  });

  it('of a damaged database is not made', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    damagePage(database.file, leafPages(database.file, 'account')[0] ?? 0);
    await assert.rejects(backupSqlite(database.file, database.path('backup.db')), told(/is damaged/));
    assert.deepEqual(
      readdirSync(dirname(database.file)).filter((name) => name.startsWith('backup')),
      [],
    );
  });

  it('is of a database of Watchword, and goes where there is a directory', async () => {
    await using database = await testDatabase();
    const to = database.path('backup.db');
    await assert.rejects(backupSqlite(database.file, to), told(/There is no database/));
    new DatabaseSync(database.file).exec('create table recipe (id integer)');
    await assert.rejects(backupSqlite(database.file, to), told(/another application/));
    await migrateSqlite(database.path('own.db'), false);
    await assert.rejects(
      backupSqlite(database.path('own.db'), database.path('none/backup.db')),
      told(/Cannot write .*none\/backup\.db\.partial.*Create the directory/),
    );
  });
});
