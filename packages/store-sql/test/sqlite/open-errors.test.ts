import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { FakeClock, slowTest } from '@watchword/testkit';
import {
  backupSqlite,
  checkSqlite,
  DatabaseOpenError,
  inspect,
  migrateSqlite,
  moveBetween,
  openSqliteServerStore,
  openSqliteStore,
  restoreSqlite,
} from '../../src/index.ts';
import { migratedFile } from '../support/migrated-file.ts';
import { makeOlderDatabase } from '../support/older-database.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'the errors of files');

const clock = new FakeClock();
const ways: Record<string, (file: string) => Promise<unknown>> = {
  'the server': async (file) => (await openSqliteServerStore({ file, clock })).close(),
  'a tool': async (file) => (await openSqliteStore({ file, clock })).close(),
  'the migration': (file) => migrateSqlite(file, 'all'),
  'the dry run of the migration': (file) => migrateSqlite(file, 'none'),
};

function withAdvice(file: string, advice: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof DatabaseOpenError, String(error));
    assert.ok(error.message.includes(file), error.message);
    assert.match(error.message, advice);
    return true;
  };
}

/** Makes the file with `prepare`, and asserts that no opening succeeds and that no byte changes. */
function refusedUnchanged(
  what: string,
  advice: RegExp,
  prepare: (database: TestDatabase) => void | Promise<void>,
  who = Object.keys(ways),
): void {
  for (const name of who) {
    // The migration opens the file as the server does.
    const register = name === 'the migration' ? slowTest : it;
    register(`${what} is rejected by ${name}, and does not change`, async () => {
      await using database = await testDatabase();
      await prepare(database);
      const before = readFileSync(database.file);
      await assert.rejects(ways[name]?.(database.file) ?? assert.fail(), withAdvice(database.file, advice));
      assert.ok(readFileSync(database.file).equals(before), 'the file has changed');
      assert.ok(!existsSync(`${database.file}-wal`));
    });
  }
}

function migrated({ file }: TestDatabase): Promise<void> {
  return migratedFile(file);
}

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

/** Of SQLite, as on a disk that must not be written. */
function readOnlyFile(file: string): void {
  execute(file, 'create table holder (id integer primary key, pid integer, since text)');
  const bytes = readFileSync(file);
  bytes[18] = 3;
  writeFileSync(file, bytes);
}

function damagedFile(file: string): void {
  writeFileSync(file, 'These are notes, and no database at all. '.repeat(100));
}

/** Each way besides those above in which a file can be named as a database that is there. */
const otherWays: Record<string, (database: TestDatabase, file: string) => Promise<unknown>> = {
  'a backup of it': ({ path }, file) => backupSqlite(file, path('copy.db')),
  'a check': async (_database, file) => checkSqlite(file),
  'an inspection': (_database, file) => inspect({ database: file }),
  'a restore from it': async ({ path }, from) => {
    await migratedFile(path('own.db'));
    return restoreSqlite({ file: path('own.db'), from, clock, keepTokens: false }, async () => {});
  },
  'a move from it': ({ path }, database) => move(database, path('to.db')),
  'a move into it': async ({ path }, database) => {
    await migratedFile(path('from.db'));
    return move(path('from.db'), database);
  },
};

function move(from: string, to: string): Promise<unknown> {
  return moveBetween({ database: from }, { database: to }, () => {});
}

function emptyFile(file: string): void {
  writeFileSync(file, '');
}

describe('a file that is there and has no tables of Watchword', only, () => {
  for (const [what, prepare] of [
    ['an empty file', emptyFile],
    [
      'an empty file beside a log',
      (file: string) => {
        writeFileSync(file, '');
        writeFileSync(`${file}-wal`, 'commits');
      },
    ],
    [
      'the copy of a young database without its log',
      (file: string) => execute(file, 'pragma application_id = 0x57575244'),
    ],
    [
      'what an interrupted first start of an earlier release left',
      (file: string) =>
        execute(file, 'pragma application_id = 0x57575244; create table schema_migration (name text)'),
    ],
  ] as const) {
    it(`is refused with what to do, and does not change: ${what}`, async () => {
      // One kind of file by everything, the others by what opens a database.
      const all: typeof otherWays = prepare === emptyFile ? { ...otherWays } : {};
      for (const [name, open] of Object.entries(ways)) all[name] = (_database, file) => open(file);
      for (const [name, open] of Object.entries(all)) {
        await using database = await testDatabase();
        prepare(database.file);
        const before = contentBeside(database.file);
        await assert.rejects(
          open(database, database.file),
          withAdvice(database.file, /has no tables of Watchword.*"watchword backup".*remove it/),
          name,
        );
        assert.deepEqual(contentBeside(database.file), before, name);
      }
    });
  }
});

/** The database and its log. */
function contentBeside(file: string): unknown[] {
  const log = `${file}-wal`;
  return [readFileSync(file), existsSync(log) && readFileSync(log)];
}

describe('a database that cannot be opened', only, () => {
  refusedUnchanged('a file that is no database', /not a SQLite database.*last backup/, ({ file }) =>
    damagedFile(file),
  );

  refusedUnchanged('a damaged database', /damaged/, async (database) => {
    await migrated(database);
    const bytes = readFileSync(database.file);
    writeFileSync(database.file, bytes.fill('x', 0, 16));
  });

  refusedUnchanged("another application's database", /another application.*--database/, ({ file }) => {
    execute(file, 'create table notes (text); insert into notes values (1)');
  });

  refusedUnchanged("another application's database that says so", /another application/, ({ file }) => {
    execute(file, 'pragma application_id = 4711; create table notes (text)');
  });

  refusedUnchanged("another application's database without tables", /another application/, ({ file }) => {
    execute(file, 'pragma application_id = 4711');
  });

  refusedUnchanged(
    'the database of a newer release',
    /newer release.*9999-future.*backup/,
    async (database) => {
      await migrated(database);
      execute(
        database.file,
        `insert into schema_migration values ('9999-future', '2030-01-01'); update schema_requirement set migration_name = '9999-future'`,
      );
    },
  );

  refusedUnchanged(
    'the database of a version that was never released',
    /another version.*0001-other-line, which.*backup/,
    async (database) => {
      await migrated(database);
      execute(database.file, "insert into schema_migration values ('0001-other-line', '2030-01-01')");
    },
  );

  refusedUnchanged(
    'a database from before the first release',
    /before the first release.*0001-initial.*--database.*Nothing was changed/,
    ({ file }) => makeOlderDatabase(file),
  );

  refusedUnchanged(
    'the database of an older release',
    /lacks the migrations 0009-.*watchword migrate/,
    async (database) => {
      await migrated(database);
      execute(database.file, "delete from schema_migration where name >= '0009'");
    },
    ['a tool'],
  );

  refusedUnchanged(
    'a database that SQLite must not write',
    /read-only.*permissions/,
    async (database) => {
      await migrated(database);
      const bytes = readFileSync(database.file);
      bytes[18] = 3;
      writeFileSync(database.file, bytes);
    },
    ['the server'],
  );

  refusedUnchanged(
    'a database whose permissions forbid writing',
    /read-only|may read and write/,
    async (database) => {
      await migrated(database);
      chmodSync(database.file, 0o400);
    },
    // Permissions do not apply to root.
    process.getuid?.() === 0 ? [] : ['the server'],
  );

  for (const name of ['a tool', 'the dry run of the migration']) {
    it(`a missing file is rejected by ${name}, and is not created`, async () => {
      await using database = await testDatabase();
      const file = join(database.path('new'), 'test.db');
      await assert.rejects(
        ways[name]?.(file) ?? assert.fail(),
        withAdvice(file, /no database.*watchword migrate/),
      );
      assert.deepEqual(readdirSync(dirname(database.file)), []);
    });
  }

  for (const name of ['the server', 'the migration']) {
    it(`a directory that cannot be made is reported by ${name}`, async () => {
      await using database = await testDatabase();
      writeFileSync(database.path('plain'), '');
      const file = join(database.path('plain'), 'test.db');
      await assert.rejects(ways[name]?.(file) ?? assert.fail(), withAdvice(file, /directory.*--database/));
    });
  }

  it('a directory in place of the file is reported', async () => {
    await using database = await testDatabase();
    mkdirSync(database.file);
    for (const open of Object.values(ways)) {
      await assert.rejects(open(database.file), withAdvice(database.file, /Cannot open the database/));
    }
  });

  for (const [what, advice, prepare] of [
    [
      'cannot be opened',
      /^Cannot open the database (\S+):.*at \1\.lock\)$/,
      (lock: string) => mkdirSync(lock),
    ],
    ['is read-only', /^The database (\S+) is read-only:.*at \1\.lock\)$/, readOnlyFile],
    ['is damaged', /^The file \S+\.lock, which.*has no data.*remove that file/, damagedFile],
  ] as const) {
    it(`is named if the lock file beside it ${what}`, async () => {
      await using database = await testDatabase();
      prepare(`${database.file}.lock`);
      await assert.rejects(database.openServer(), withAdvice(database.file, advice));
    });
  }
});
