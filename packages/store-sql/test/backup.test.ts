import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/engine';
import { sql } from '@watchword/server-testkit/sql';
import { damagePage, leafPages, tokenFactory } from '@watchword/testkit';
import { backupSqlite, checkSqlite, DatabaseOpenError, migrateSqlite } from '../src/index.ts';
import { idsIn } from './support/rows.ts';
import { testDatabase } from './support/test-database.ts';

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
