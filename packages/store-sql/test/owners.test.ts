import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { engine, onlyOn } from '@watchword/server-testkit/engine';
import { addResourceServer } from '@watchword/testkit';
import { ownerHint } from '../src/dialects/sqlite/owners.ts';
import {
  backupSqlite,
  filesOf,
  migrateSqlite,
  moveBetween,
  openSqliteServerStore,
  ownerAdvice,
  restoreSqlite,
} from '../src/index.ts';
import { migratedFile } from './support/migrated-file.ts';
import { type TestDatabase, testDatabase } from './support/test-database.ts';

const needsRoot = 'only root can give files to another user, and these tests do not run as root';
const asRoot =
  process.getuid?.() !== 0 && engine === 'sqlite' ? { skip: needsRoot } : onlyOn('sqlite', 'makes files');

// Nobody has these.
const [service, group] = [34_567, 45_678];

/** A database in a directory of the service. */
async function databaseOfService(): Promise<TestDatabase> {
  const database = await testDatabase();
  chownSync(dirname(database.file), service, group);
  return database;
}

/** Owner and mode of each file in a directory. */
function ownersIn(directory: string): Record<string, unknown> {
  const names = readdirSync(directory).toSorted();
  return Object.fromEntries(names.map((name) => [name, ownerOf(`${directory}/${name}`)]));
}

function ownerOf(file: string): readonly [number, number, string] {
  const { uid, gid, mode } = statSync(file);
  return [uid, gid, (mode & 0o777).toString(8)];
}

const private_ = [service, group, '600'];

describe('what root makes', asRoot, () => {
  it('has the owner of its directory: a new database with its lock, its log and its directories', async () => {
    await using database = await databaseOfService();
    const file = database.path('some/where/x.db');
    const store = await openSqliteServerStore({ file, clock: database.clock });
    await addResourceServer(store);
    const owners = ownersIn(dirname(file));
    await store.close();
    assert.deepEqual(owners, {
      'x.db': private_,
      'x.db-shm': private_,
      'x.db-wal': private_,
      'x.db.lock': private_,
    });
    for (const made of ['some', 'some/where']) {
      assert.deepEqual(ownerOf(database.path(made)), [service, group, '700']);
    }
  });

  it('has the owner of its directory: the database of a migration, of a move, and a backup', async () => {
    await using database = await databaseOfService();
    await migrateSqlite(database.file, 'all');
    const to = database.path('to.db');
    await moveBetween({ database: database.file }, { database: to }, () => {});
    await backupSqlite(to, database.path('backup.db'));
    const owners = ownersIn(dirname(database.file));
    assert.deepEqual(new Set(Object.values(owners).map(String)), new Set([String(private_)]));
    assert.equal(Object.keys(owners).length >= 5, true, JSON.stringify(owners));
  });

  it('has owner and mode of what it replaces: a restored database', async () => {
    await using database = await testDatabase();
    await migratedFile(database.file);
    const backup = database.path('backup.db');
    await backupSqlite(database.file, backup);
    chownSync(database.file, service, group);
    chmodSync(database.file, 0o640);
    const options = { file: database.file, from: backup, clock: database.clock, keepTokens: false };
    const { kept = '' } = await restoreSqlite(options, async () => {});
    const owner = [service, group, '640'];
    for (const file of [database.file, kept, `${database.file}.lock`]) assert.deepEqual(ownerOf(file), owner);
    assert.deepEqual(ownerOf(backup), [0, 0, '600']);
  });

  it('has the owner of the directory where nothing is replaced: a restored database', async () => {
    await using database = await databaseOfService();
    await migratedFile(database.path('backup.db'));
    const options = { clock: database.clock, keepTokens: false, from: database.path('backup.db') };
    await restoreSqlite({ file: database.file, ...options }, async () => {});
    assert.deepEqual([database.file, `${database.file}.lock`].map(ownerOf), [private_, private_]);
  });
});

describe('files that a server of another user cannot use', asRoot, () => {
  it('are named with the command that gives them away, by the user who made them', async () => {
    await using database = await databaseOfService();
    writeFileSync(database.file, '');
    writeFileSync(`${database.file}.lock`, '');
    chownSync(`${database.file}.lock`, service, group);
    const advice = ownerAdvice(filesOf(database.file)) ?? '';
    assert.match(
      advice ?? '',
      new RegExp(
        `^user 0 owns \\S+, and user ${service} what is beside it.*As root, run: chown ${service}:${group} `,
      ),
    );
    assert.ok(advice.endsWith(` ${database.file}`), advice);
    chownSync(database.file, service, group);
    for (const user of [0, service]) assert.equal(ownerAdvice(filesOf(database.file), user), undefined);
  });

  it('are those beside a database of another user where the directory is of root, as are temporary ones', async () => {
    await using database = await testDatabase();
    writeFileSync(database.file, '');
    writeFileSync(`${database.file}.lock`, '');
    chownSync(database.file, service, group);
    const advice = ownerAdvice(filesOf(database.file)) ?? '';
    assert.ok(advice.endsWith(`chown ${service}:${group} ${database.file}.lock`), advice);
    chownSync(`${database.file}.lock`, service, group);
    assert.equal(ownerAdvice(filesOf(database.file), service), undefined);
  });

  it('are named by the server that cannot open them, with the command that mends it', async () => {
    await using database = await testDatabase();
    mkdirSync(database.path('sub'));
    writeFileSync(database.file, '');
    const hint = ownerHint(database.file, service, group);
    assert.ok(hint.endsWith(` run as root: chown ${service}:${group} ${database.file}`), hint);
    assert.equal(ownerHint(database.file), '');
    chownSync(database.file, service, group);
    assert.equal(ownerHint(database.file, service, group), '');
  });
});
