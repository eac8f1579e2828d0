import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { onlyAsRoot } from '@watchword/server-testkit/servers/engine';
import { addResourceServer } from '@watchword/testkit';
import { ownerHint } from '../../src/dialects/sqlite/files/owners.ts';
import {
  actAsOwnerOf,
  asOwnerOf,
  backupSqlite,
  filesOf,
  migrateSqlite,
  moveBetween,
  openSqliteServerStore,
  ownerAdvice,
  previewRestore,
  restoreSqlite,
} from '../../src/index.ts';
import { migratedFile } from '../support/migrated-file.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const asRoot = onlyAsRoot();

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
    const owners = await asOwnerOf([file], async () => {
      const store = await openSqliteServerStore({ file, clock: database.clock });
      await addResourceServer(store);
      const found = ownersIn(dirname(file));
      await store.close();
      return found;
    });
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
    const to = database.path('to.db');
    await asOwnerOf([database.file, to], async () => {
      await migrateSqlite(database.file, 'all');
      await moveBetween({ database: database.file }, { database: to }, () => {});
    });
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
    await using others = await testDatabase();
    await migratedFile(others.file);
    const options = { clock: database.clock, keepTokens: false, from: others.file };
    await asOwnerOf([database.file], () =>
      restoreSqlite({ file: database.file, ...options }, async () => {}),
    );
    assert.deepEqual([database.file, `${database.file}.lock`].map(ownerOf), [private_, private_]);
  });
});

describe('a process of root', asRoot, () => {
  it('has the rights of the owner of a directory and no others, and afterwards its own again', async () => {
    await using database = await databaseOfService();
    await using others = await testDatabase();
    writeFileSync(others.file, '');
    const before = rights();
    const seen = await asOwnerOf([database.file], async () => {
      assert.throws(() => readFileSync(others.file), { code: 'EACCES' });
      // As for a backup of root that is restored there.
      assert.equal(await asOwnerOf([others.file], async () => readFileSync(others.file, 'utf8')), '');
      assert.throws(() => readFileSync(others.file), { code: 'EACCES' });
      return rights();
    });
    assert.deepEqual(seen, [service, group, [group]]);
    assert.deepEqual(rights(), before);
    assert.equal(readFileSync(others.file, 'utf8'), '');
  });

  it('has the groups of a user that the system knows', async (test) => {
    const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
    if (nobody === null) return test.skip('the system has no user nobody');
    await using database = await testDatabase();
    chownSync(dirname(database.file), Number(nobody[1]), 0);
    const [uid, gid, groups] = await asOwnerOf([database.file], async () => rights());
    assert.deepEqual([uid, gid], [Number(nobody[1]), Number(nobody[2])]);
    assert.ok(!groups.includes(0), groups.join());
  });

  it('acts as the owner of a link or a directory on the way, wherever that leads', async () => {
    await using database = await databaseOfService();
    await using others = await testDatabase();
    mkdirSync(database.path('of-root'));
    symlinkSync(dirname(others.file), database.path('link'));
    symlinkSync(others.file, database.path('x.db'));
    for (const path of [
      'of-root/x.db',
      'link/x.db',
      'link/../x.db',
      'x.db',
      'of-root/../new.db',
      'missing/x.db',
    ]) {
      assert.equal((await asOwnerOf([database.path(path)], async () => rights()))[0], service, path);
    }
    // Root made it.
    symlinkSync(dirname(database.file), others.path('service'));
    assert.equal((await asOwnerOf([others.path('service/x.db')], async () => rights()))[0], service);
  });

  it('acts as the owner of a database in a directory of root only if others can write there', async () => {
    await using database = await testDatabase();
    writeFileSync(database.file, '');
    chownSync(database.file, service, group);
    const rightsThere = () => asOwnerOf([database.file], async () => rights());
    assert.deepEqual(await rightsThere(), rights());
    chmodSync(dirname(database.file), 0o1777);
    assert.deepEqual(await rightsThere(), [service, group, [group]]);
    chownSync(dirname(database.file), 0, group + 1);
    chmodSync(dirname(database.file), 0o2775);
    assert.deepEqual(await rightsThere(), [service, group + 1, [group + 1]]);
  });

  it('refuses what several users decide, and says as whom to run the command', async () => {
    await using database = await databaseOfService();
    await using others = await testDatabase();
    mkdirSync(database.path('sub'));
    chownSync(database.path('sub'), service + 1, group);
    const message = new RegExp(
      `is of user ${service}, .* of user ${service + 1} .*sudo -u '#${service + 1}' watchword`,
    );
    assert.throws(() => actAsOwnerOf([database.path('sub/x.db')]), { name: 'DatabaseOpenError', message });
    const two = /expected files of one user.*"watchword backup" makes a copy/;
    assert.throws(() => actAsOwnerOf([others.file, database.file]), { message: two });
    assert.equal(process.geteuid?.(), 0);
  });
});

describe('a log beside a database', asRoot, () => {
  it('of a user who cannot write the database is not read into it, nor into what is restored from it', async () => {
    for (const suffix of ['-wal', '-journal']) {
      await using database = await testDatabase();
      await using others = await testDatabase();
      await migratedFile(database.file);
      await migratedFile(others.file);
      const log = `${others.file}${suffix}`;
      writeFileSync(log, '');
      chownSync(log, service, group);
      const refused = { name: 'DatabaseOpenError', message: new RegExp(`${log} is of user ${service}`) };
      const options = { file: database.file, from: others.file, clock: database.clock, keepTokens: false };
      await assert.rejects(
        restoreSqlite(options, async () => {}),
        refused,
      );
      await assert.rejects(previewRestore(options), refused);
      await assert.rejects(openSqliteServerStore({ file: others.file, clock: database.clock }), refused);
      chmodSync(others.file, 0o620);
      await backupSqlite(others.file, database.path('backup.db'));
    }
  });
});

/** Of this process: user, group, further groups. */
function rights(): readonly [number | undefined, number | undefined, readonly number[]] {
  return [process.geteuid?.(), process.getegid?.(), process.getgroups?.() ?? []];
}

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
