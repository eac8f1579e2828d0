import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { isActive } from '@watchword/server-testkit/clients/application';
import { killedAt } from '@watchword/server-testkit/processes/killed-at';
import { temporaryDirectory, watchword, watchwordProcess } from '@watchword/server-testkit/processes/process';
import { anApi, startAdministration } from '@watchword/server-testkit/servers/administration';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { copyDemo, demoClient, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { checkSqlite, openServerStore } from '@watchword/store-sql';
import { FakeClock, slowSuite, slowTest, variants } from '@watchword/testkit';

const only = onlyOn('sqlite', 'PostgreSQL has its own backups, and "watchword restored"');
const grant = { grant_type: 'client_credentials' };

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

async function done(args: readonly string[], stdin?: string) {
  const { code, stdout, stderr } = await watchword(args, stdin === undefined ? {} : { stdin });
  assert.equal(code, 0, stderr);
  return stdout;
}

function database(directory: Directory): readonly string[] {
  return ['--database', directory.file('x.db')];
}

/** The server on the database of the test; a new database has the demo records. */
function serve(directory: Directory) {
  return startServer({ database: directory.file('x.db') });
}

async function issue(server: Pick<TestServer, 'post'>, credentials = demoClient) {
  return server.post('/oauth2/token', grant, credentials);
}

/** A backup of the demo records, its database, and a token that is in both. */
async function backupWithToken(directory: Directory) {
  await using server = await serve(directory);
  const token = await server.issueToken();
  await done(['backup', directory.file('backup.db'), ...database(directory)]);
  return { token, backup: directory.file('backup.db') };
}

describe('watchword restore', only, () => {
  it('says that it revokes the tokens of the backup, does so, and names the records whose secrets are in it', async () => {
    await using directory = await temporaryDirectory();
    const { token, backup } = await backupWithToken(directory);
    const restore = ['restore', backup, ...database(directory)];
    const asked = (flags: readonly string[]) =>
      watchword([...restore, ...flags], { stdin: 'n\n', isTyped: true });
    assert.match(
      (await asked([])).stderr,
      /backup\.db, and end its tokens, grants and login sessions\? \[y\/N\]/,
    );
    assert.match((await asked(['--keep-tokens'])).stderr, /backup\.db\? \[y\/N\]/);
    const words = await done([...restore, '--yes']);
    assert.match(words, /Ended: 1 access tokens/);
    assert.match(words, /old one is valid again.*--rotate-secrets/);
    assert.match(words, /demo-resource-server[\s\S]*demo-service/);
    await using server = await serve(directory);
    assert.ok(!(await isActive(server, token)));
    assert.ok(await isActive(server, await server.issueToken()));
  });

  slowTest('leaves tokens valid with its option, with a warning', async () => {
    await using directory = await temporaryDirectory();
    const { token, backup } = await backupWithToken(directory);
    const words = await done(['restore', backup, '--yes', '--keep-tokens', ...database(directory)]);
    assert.match(words, /^WARNING: tokens, grants and consents of the backup are valid/m);
    await using server = await serve(directory);
    assert.ok(await isActive(server, token));
  });

  it('replaces every secret and password with its option, and shows the new ones', async () => {
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    await done(['user', 'create', 'emma', '--password-stdin', ...database(directory)], 'the old password');
    await done(['backup', directory.file('second.db'), ...database(directory)]);
    const json = await done([
      'restore',
      '--yes',
      directory.file('second.db'),
      '--rotate-secrets',
      '--json',
      ...database(directory),
    ]);
    const { clients, accounts, secretsRotated } = JSON.parse(json);
    assert.equal(secretsRotated, true);
    const { secret } = clients.find(({ clientId }: { clientId: string }) => clientId === 'demo-service');
    await using server = await serve(directory);
    assert.equal((await issue(server)).status, 401);
    assert.equal((await issue(server, `demo-service:${secret}`)).status, 200);
    assert.match(accounts[0].secret, /^[\w-]{24}$/);
    assert.deepEqual([accounts.length, accounts[0].username], [1, 'emma']);
  });

  it('without --yes and without a terminal is refused, also where there is no database', async () => {
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    await done(['backup', directory.file('backup.db'), ...database(directory)]);
    const before = readFileSync(directory.file('x.db'));
    for (const name of ['x.db', 'none.db']) {
      const args = ['restore', directory.file('backup.db'), '--database', directory.file(name)];
      const { code, stderr } = await watchword(args);
      assert.equal(code, 2);
      assert.match(stderr, /--yes: expected it.*Nothing was restored/);
    }
    assert.ok(readFileSync(directory.file('x.db')).equals(before));
    assert.ok(!existsSync(directory.file('none.db')));
  });

  it('says how many records both have, and the date of the backup, before it asks, and afterwards where it keeps what it replaced', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('young.db'));
    await copyDemo(directory.file('x.db'));
    await done(['backup', directory.file('backup.db'), '--database', directory.file('young.db')]);
    const args = ['restore', directory.file('backup.db'), ...database(directory)];
    const refused = await watchword(args, { stdin: 'n\n', isTyped: true });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /backup\.db has 0 resource servers, 0 clients, 0 accounts, 0 grants\.\nThe file is of \d{4}-\d\d-\d\dT.*\. It has no change\.\n.*x\.db has 1 resource servers, 2 clients, 0 accounts, 0 grants\.\nReplace .*\[y\/N\] Nothing was restored/,
    );
    const { stdout } = await watchword(args, { stdin: 'y\n', isTyped: true });
    const [, kept = ''] = /What it replaces is kept as (.*\.replaced-[\dTZ-]+)\. Remove/.exec(stdout) ?? [];
    const back = await done(['restore', kept, '--yes', '--json', ...database(directory)]);
    const { records, kept: second, damaged } = JSON.parse(back);
    assert.deepEqual(
      [records.backup.clients, records.replaced.clients, existsSync(second), damaged],
      [2, 0, true, null],
    );
  });

  it('of an empty file is refused before it asks, and keeps all accounts', async () => {
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    const before = readFileSync(directory.file('x.db'));
    writeFileSync(directory.file('b.db'), '');
    const args = ['restore', directory.file('b.db'), ...database(directory)];
    for (const { code, stderr } of [
      await watchword([...args, '--yes']),
      await watchword(args, { stdin: 'y\n', isTyped: true }),
    ]) {
      assert.equal(code, 1);
      assert.match(stderr, /^watchword: The file .*b\.db is there, but has no tables of Watchword/);
    }
    assert.ok(readFileSync(directory.file('x.db')).equals(before));
  });

  slowTest('is rejected while a server runs on the database', async () => {
    await using directory = await temporaryDirectory();
    await using server = await serve(directory);
    await done(['backup', directory.file('backup.db'), ...database(directory)]);
    const restore = ['restore', directory.file('backup.db'), '--yes', ...database(directory)];
    const { code, stderr } = await watchword(restore);
    assert.equal(code, 1);
    // Before the counts: nothing that could be read as success.
    assert.match(stderr, new RegExp(`^watchword: Another server \\(process ${process.pid}`));
    assert.equal((await issue(server)).status, 200);
  });
});

/** Where a restore is killed. The first are at both sides of the change that counts. */
const points = ['before the rename', 'after the rename', 'begin', 'vacuum', 'begin exclusive'];

describe('a restore that is killed', only, () => {
  it('leaves either the old database or the new one, complete', async (test) => {
    await using directory = await temporaryDirectory();
    const [to, from, template] = [directory.file('x.db'), directory.file('b.db'), directory.file('t.db')];
    const addUser = (username: string) =>
      done(['import', '--accounts', '-', '--database', template], JSON.stringify({ username }));
    await copyMigrated(template);
    await addUser('new');
    await done(['backup', from, '--database', template]);
    await addUser('old');
    for (const point of variants(2, points)) {
      test.diagnostic(point);
      await copyFile(template, to);
      const args = ['restore', from, '--yes', '--database', to];
      const killed = await watchwordProcess(args, killedAt(point));
      assert.equal(killed.code, null, killed.stdout);
      assert.deepEqual(checkSqlite(to), []);
      assert.deepEqual(users(to), point === 'after the rename' ? ['new'] : ['new', 'old']);
      await done(args);
      assert.deepEqual(users(to), ['new']);
      assert.ok(!existsSync(`${to}.restoring`));
    }
  });
});

/** Where it is killed, and what has the name then. */
const states: ReadonlyMap<string, 'old' | 'none' | 'new'> = new Map([
  ['before rename 2', 'none'],
  ['before rename 3', 'new'],
  ['before rename 1', 'old'],
  ['never', 'new'],
]);

slowSuite('a restore on a file system without hard links', only, () => {
  it('loses neither database wherever it is killed: the next start ends it', async (test) => {
    await using directory = await temporaryDirectory();
    const [to, from, template] = [directory.file('x.db'), directory.file('b.db'), directory.file('t.db')];
    const user = (name: string) => ['user', 'create', name, '--password-stdin', '--database', template];
    await copyMigrated(template);
    await done(user('new'), 'a long password');
    await copyFile(template, from);
    await done(user('old'), 'a long password');
    for (const [point, state] of variants(2, [...states])) {
      test.diagnostic(point);
      await copyFile(template, to);
      await watchwordProcess(['restore', from, '--yes', '--database', to], killedAt(point, false));
      assert.equal(existsSync(to), state !== 'none');
      await (await openServerStore({ database: to, clock: new FakeClock() })).close();
      assert.deepEqual(users(to), state === 'new' ? ['new'] : ['new', 'old']);
      const kept = readdirSync(directory.file('.')).filter((name) => /\.repl/.test(name));
      assert.equal(kept.length, state === 'new' ? 1 : 0, kept.join());
      for (const name of kept) {
        assert.match(name, /^x\.db\.replaced-[\dT-]+Z$/);
        assert.deepEqual(users(directory.file(name)), ['new', 'old']);
        rmSync(directory.file(name));
      }
    }
  });
});

slowSuite('a backup that is a copy of a file', only, () => {
  it('is named as such before the question, because it can lack the last changes', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startServer({ database: directory.file('x.db') });
    await done(['backup', directory.file('backup.db'), '--database', server.database]);
    await copyFile(server.database, directory.file('copy.db'));
    const sayBefore = async (file: string) => {
      const args = ['restore', directory.file(file), '--database', directory.file('y.db')];
      const { stderr } = await watchword(args, { isTyped: true, stdin: 'no\n' });
      return stderr;
    };
    assert.match(
      await sayBefore('copy.db'),
      /It is a copy of a database file, and not one of "watchword backup"/,
    );
    assert.doesNotMatch(await sayBefore('backup.db'), /It is a copy/);
    await copyFile(`${server.database}-wal`, directory.file('copy.db-wal'));
    assert.doesNotMatch(await sayBefore('copy.db'), /It is a copy/);
  });
});

describe('a restored server', only, () => {
  it('gives new records higher numbers than all records before, and rejects old cursors', async () => {
    await using directory = await temporaryDirectory();
    const backup = directory.file('backup.db');
    await using before = await startAdministration();
    const root = await before.administrator();
    await root.create('/admin/resourceServer', { ...anApi, name: 'One' });
    await done(['backup', backup, '--database', before.database]);
    const last = await root.create('/admin/resourceServer', { ...anApi, name: 'Two' });
    const { headers } = await root.get('/admin/resourceServer?limit=1');
    const [, cursor = ''] = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '') ?? [];
    assert.equal((await root.get(`/admin/resourceServer?limit=1&cursor=${cursor}`)).status, 200);
    const restored = directory.file('restored.db');
    await done(['restore', backup, '--yes', '--database', restored]);
    await using after = await startAdministration({ database: restored });
    const again = await after.administrator();
    assert.equal((await again.get(`/admin/resourceServer?limit=1&cursor=${cursor}`)).status, 400);
    const next = await again.create('/admin/resourceServer', { ...anApi, name: 'Three' });
    assert.ok(next.id > last.id);
    const { json } = await again.get('/admin/auditEvent?recordType=database');
    assert.deepEqual(
      json.map(({ action, recordName }: Record<string, string>) => [action, recordName]),
      [['restore', 'backup.db']],
    );
  });
});

function users(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('select username from account order by username').all();
  db.close();
  return rows.map(({ username }) => username);
}
