import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { FakeClock, slowTest } from '@watchword/testkit';
import { postgresqlServer, query } from '@watchword/testkit/postgresql';
import { type MoveProgress, migrate, moveBetween, openServerStore } from '../src/index.ts';
import { movedTables } from '../src/moving/moved-tables.ts';
import { fillTables } from './support/fill-tables.ts';
import { migratedFile } from './support/migrated-file.ts';

const clock = new FakeClock();
const quiet = () => {};

/** A SQLite file with a row in each table, and more tokens than one page has; an empty database of PostgreSQL. */
async function databases() {
  const directory = await temporaryDirectory();
  const made = await (await postgresqlServer()).createDatabase();
  const file = directory.file('source.db');
  await migratedFile(file);
  fillTables(file);
  execute(
    file,
    `insert into access_token with recursive n (i) as (select 1 union all select i + 1 from n where i < 1100)
       select randomblob(16), randomblob(32), 1, 'read ü 漢', 0, i, null, '{"jkt":"' || i || '"}', i / 100 from n`,
  );
  return {
    file,
    source: { database: file },
    target: { database: made.url },
    path: directory.file,
    shown: made.url.replace(/:[^:/@]*@/, '@'),
    rows: (table: string) => query(made.url, `select * from ${table}`),
    run: (text: string) => query(made.url, text),
    async [Symbol.asyncDispose]() {
      await made.drop();
      await directory[Symbol.asyncDispose]();
    },
  };
}

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

/** Ends the move when it has copied so many tokens. */
function interruptAt(tokens: number) {
  return ({ step, table, rows }: MoveProgress) => {
    if (step === 'copied' && table === 'access_token' && rows >= tokens) throw new Error('interrupted');
  };
}

function dump(file: string): Map<string, unknown[]> {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = movedTables.map(({ table, key }) => {
    const all = db.prepare(`select * from ${table} order by ${key.join()}`).all();
    return [table, all] as const;
  });
  db.close();
  return new Map(rows);
}

describe('moving data', () => {
  it('takes every row of every table to PostgreSQL, where it was interrupted too, and back, and changes no value', async () => {
    await using made = await databases();
    const { source, target, file, path } = made;
    const before = dump(file);
    await assert.rejects(moveBetween(source, target, interruptAt(1000)), /interrupted/);
    const seen: number[] = [];
    const report = await moveBetween(source, target, ({ step, table, rows }) => {
      if (step === 'copied' && table === 'access_token') seen.push(rows);
    });
    assert.deepEqual(seen, [1000, 1101]);
    assert.ok(report.alreadyCopied > 1000);
    assert.deepEqual(Object.keys(report.tables).toSorted(), movedTables.map(({ table }) => table).toSorted());
    assert.equal(report.tables.access_token, 1101);
    assert.ok(
      Object.values(report.tables).every((rows) => rows > 0),
      'each table has rows',
    );
    const back = path(join('new', 'back.db'));
    const unknown = `select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples < 0 and pg_relation_size(oid) > 0`;
    assert.deepEqual(await made.run(unknown), [], 'PostgreSQL has statistics of every table');
    assert.deepEqual(await moveBetween(target, { database: back }, quiet), { ...report, alreadyCopied: 0 });
    assert.deepEqual(dump(back), before);
    assert.deepEqual(dump(file), before);
    // A server can open it, and nothing of the move is left.
    const tables = await made.run("select 1 from information_schema.tables where table_name = 'data_move'");
    assert.equal(tables.length, 0);
    assert.deepEqual((await migrate({ ...target, extent: 'none' })).pending, []);
  });

  slowTest('lets no server start on a database with a part of the rows', async () => {
    await using made = await databases();
    const { source, target } = made;
    await assert.rejects(moveBetween(source, target, interruptAt(1000)), /interrupted/);
    const expected = {
      name: 'DatabaseOpenError',
      message: /only a part of its rows.*Run the same command again/,
    };
    await assert.rejects(openServerStore({ ...target, clock }), expected);
    await assert.rejects(moveBetween(target, source, quiet), /only a part of its rows.*--from/);
  });

  slowTest('finds that the source was changed between two runs', async () => {
    await using made = await databases();
    const { source, target, file } = made;
    await assert.rejects(moveBetween(source, target, interruptAt(1101)), /interrupted/);
    execute(file, "update resource_server set server_name = 'Changed'");
    await assert.rejects(
      moveBetween(source, target, quiet),
      /table resource_server .* other values .*SHA-256/,
    );
    execute(file, 'delete from client');
    await assert.rejects(moveBetween(source, target, quiet), /resource_server/);
  });

  it('refuses a target that has rows, and changes nothing there', async () => {
    await using made = await databases();
    const { source, target, file, rows } = made;
    await migrate({ ...target, extent: 'all' });
    const store = await openServerStore({ ...target, clock });
    await store.oneTime.put('key', 'value', 1);
    await store.close();
    const keys = await rows('subject_key');
    await assert.rejects(
      moveBetween(source, target, quiet),
      /is not empty: it has rows in one_time\. Nothing was/,
    );
    assert.deepEqual(await rows('subject_key'), keys);
    const before = readFileSync(file);
    await assert.rejects(moveBetween(target, source, quiet), /source\.db is not empty/);
    assert.ok(readFileSync(file).equals(before));
  });

  slowTest('refuses a database that a server uses', async () => {
    await using made = await databases();
    const { source, target, path } = made;
    const other = { database: path('other.db') };
    for (const used of [other, target]) {
      const server = await openServerStore({ ...used, clock });
      const [from, to] = used === target ? [source, target] : [other, target];
      await assert.rejects(moveBetween(from, to, quiet), /server/i);
      await server.close();
    }
  });

  slowTest('names the row with a character that PostgreSQL cannot store', async () => {
    await using made = await databases();
    const { source, target, file } = made;
    execute(file, "update account set display_name = 'a' || char(0)");
    await assert.rejects(moveBetween(source, target, quiet), {
      name: 'DatabaseOpenError',
      message: /table account .* U\+0000 in the column display_name.*username is \["\[\]"\]/,
    });
  });

  slowTest('refuses databases with different migrations', async () => {
    await using made = await databases();
    const { source, target, file } = made;
    execute(file, "insert into schema_migration values ('0002-next', '2030-01-01')");
    await assert.rejects(moveBetween(source, target, quiet), /different migrations.*0002-next/);
  });
});
