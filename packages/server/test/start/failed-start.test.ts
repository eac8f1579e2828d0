import assert from 'node:assert/strict';
import { once } from 'node:events';
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { engine, onlyOn } from '@watchword/server-testkit/servers/engine';
import { copyDemo, demoClient, postForm, startServer } from '@watchword/server-testkit/servers/server';
import { sql, tableNames } from '@watchword/server-testkit/servers/sql';
import { slowTest } from '@watchword/testkit';

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

/** A database with the demo records, which no process has open. */
async function demoDatabase(directory: Directory): Promise<string> {
  const database = directory.file('x.db');
  await copyDemo(database);
  return database;
}

/** `serve` must exit with 1, print the reason, and not change the database. */
async function assertServeRefuses(database: string, words: RegExp): Promise<void> {
  const before = await contentOf(database);
  const { code, stderr } = await watchword(['serve', '--port', '0', '--database', database]);
  assert.equal(code, 1, stderr);
  assert.match(stderr, words);
  assert.doesNotMatch(stderr, /\n\s+at /);
  assert.deepEqual(await contentOf(database), before);
}

/** The file, or the tables of PostgreSQL and the migrations. */
async function contentOf(database: string): Promise<unknown> {
  if (engine === 'sqlite') return readFile(database);
  const tables = await tableNames(database);
  return [
    tables,
    tables.includes('schema_migration') && (await sql(database, 'select * from schema_migration')),
  ];
}

const files = onlyOn('sqlite', 'files');
const lock = onlyOn('sqlite', 'has one server at a time');

describe('a server that cannot start', () => {
  it('names the other server that uses the database, and does not affect that server', lock, async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await using server = await startServer({ database });
    const { code, stderr } = await watchword(['serve', '--port', '0', '--database', database]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`Another server \\(process ${process.pid}, since .*another file with --database`),
    );
    await server.issueToken();
  });

  it('recognizes a database under each of its names, and rejects one with two hard links', lock, async () => {
    await using directory = await temporaryDirectory();
    const database = await demoDatabase(directory);
    await symlink(database, directory.file('link.db'));
    {
      await using _server = await startServer({ database });
      await assertServeRefuses(directory.file('link.db'), /Another server/);
    }
    await link(database, directory.file('hard.db'));
    await assertServeRefuses(database, /has a second name \(a hard link\)/);
  });

  it('names a file with keys of an issuer that it cannot read, and makes no database', files, async () => {
    await using directory = await temporaryDirectory();
    const [database, jwksFile] = [directory.file('x.db'), directory.file('bundle.json')];
    const issuers = JSON.stringify([{ issuer: 'spiffe://a.example', jwksFile }]);
    const settings = ['--database', database, '--clients-assertion-issuers', issuers];
    const { code, stderr } = await watchword(['serve', '--port', '0', ...settings]);
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /clients\.assertionIssuers\[0\]\.jwksFile \(.*bundle\.json\): cannot be read: ENOENT/,
    );
    await assert.rejects(readFile(database), { code: 'ENOENT' });
  });

  slowTest('says that it has made a new database, and can open it at once after it was killed', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--demo', 'small', '--port', '0', '--database', directory.file('x.db')];
    const made = /"database":"[^"]+","msg":"made a new database, because there was none of this name"/;
    const first = await startProcess(args);
    assert.match(first.log(), made);
    await first.end('SIGKILL');
    await using second = await startProcess(args);
    assert.doesNotMatch(second.log(), made);
    const form = { grant_type: 'client_credentials' };
    assert.equal((await postForm(second.baseUrl, '/oauth2/token', form, demoClient)).status, 200);
  });

  it('reports a file that is no database, or damaged', files, async () => {
    await using directory = await temporaryDirectory();
    const text = directory.file('notes.txt');
    await writeFile(text, 'not a database at all, but long enough to be looked at as one. '.repeat(20));
    await assertServeRefuses(text, /not a SQLite database or is damaged.*Restore your last backup/);
    const database = await demoDatabase(directory);
    const bytes = await readFile(database);
    bytes.fill(0xa5, 100, 4096);
    await writeFile(database, bytes);
    await assertServeRefuses(database, /not a SQLite database or is damaged/);
  });

  it('reports a database of another application', async () => {
    await using directory = await temporaryDirectory();
    const other = directory.file('other.db');
    await sql(other, 'create table recipe (id integer)');
    await assertServeRefuses(other, /another application/);
  });

  it('reports a database that a newer release wrote', async () => {
    await using directory = await temporaryDirectory();
    const database = await demoDatabase(directory);
    await sql(database, "insert into schema_migration values ('9999-future', '2099-01-01')");
    await sql(database, "update schema_requirement set migration_name = '9999-future'");
    await assertServeRefuses(database, /newer release.*9999-future.*Run the newer release/);
    const list = await watchword(['client', 'list', '--database', database]);
    assert.equal(list.code, 1);
    assert.match(list.stderr, /newer release/);
  });

  it('reports a read-only database', files, async () => {
    await using directory = await temporaryDirectory();
    const database = await demoDatabase(directory);
    // SQLite opens a file with an unknown write version as read-only, for every caller.
    const bytes = await readFile(database);
    bytes[18] = 3;
    await writeFile(database, bytes);
    await assertServeRefuses(database, /read-only.*Correct the permissions/);
  });

  it('reports a directory that cannot be made or a file that cannot be opened', files, async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('file'), '');
    await mkdir(directory.file('folder'));
    for (const [database, words] of [
      [directory.file('file/x.db'), /Cannot create the directory/],
      [directory.file('folder'), /Cannot open the database/],
    ] as const) {
      const { code, stderr } = await watchword(['serve', '--port', '0', '--database', database]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, words);
    }
  });

  it('reports that its port is in use, and releases the database', async () => {
    await using directory = await temporaryDirectory();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = String(typeof address === 'object' && address?.port);
    const args = ['--host', '127.0.0.1', '--database', directory.file('x.db')];
    const { code, stderr } = await watchword(['serve', '--port', port, ...args]);
    taken.close();
    assert.equal(code, 1);
    assert.match(stderr, /Cannot listen on 127\.0\.0\.1 port \d+: another process uses the port\..*--port/);
    await using server = await startServer({ database: directory.file('x.db') });
    assert.equal((await server.get('/healthz')).status, 200);
  });

  it('names the server or a migration as the next step where a tool finds no database', files, async () => {
    await using directory = await temporaryDirectory();
    const { code, stderr } = await watchword(['client', 'list', '--database', directory.file('none.db')]);
    assert.equal(code, 1);
    assert.match(stderr, /There is no database at .*"watchword migrate"/);
  });
});
