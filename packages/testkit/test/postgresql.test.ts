import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { copyDirectory } from '../src/postgresql/copy-directory.ts';
import { installedPackage, installPostgresql } from '../src/postgresql/installation.ts';
import { canEnter, unprivilegedUser } from '../src/postgresql/run-as.ts';
import { postgresqlServer } from '../src/postgresql/shared-server.ts';
import { type PostgresqlServer, query, startPostgresql, startStandby } from '../src/postgresql.ts';

const isRoot = process.getuid?.() === 0;
const holder = fileURLToPath(new URL('./support/hold-postgresql.ts', import.meta.url));

/** A directory that only this user can enter. */
async function privateDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'watchword-testkit-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Starts a process that has a server. Resolves with the process and the data directory of the server. */
async function startHolder(options: SpawnOptions): Promise<[ChildProcess, string]> {
  const { TEST_POSTGRESQL: _, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const child = spawn(process.execPath, [holder], { env, ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const [directory] = await once(createInterface(child.stdout), 'line');
  return [child, directory];
}

async function disappears(path: string): Promise<void> {
  while (existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 20));
}

const count = async (server: PostgresqlServer) => (await server.query('select * from event')).length;

describe('the PostgreSQL of the tests', () => {
  it('is version 18, with UTF-8 and the order of English', async () => {
    const server = await postgresqlServer();
    const facts = `select current_setting('server_version_num')::int / 10000 as version,
      getdatabaseencoding() as encoding, 'a' < 'B' as "isEnglish"`;
    assert.deepEqual(await query(server.url(), facts), [{ version: 18, encoding: 'UTF8', isEnglish: true }]);
  });

  it('does not run as root, in a directory that only its user can enter', async () => {
    await using server = await startPostgresql();
    const { uid, mode } = await stat(server.dataDirectory);
    assert.equal(uid, isRoot ? (await unprivilegedUser()).uid : process.getuid?.());
    assert.notEqual(uid, 0);
    assert.equal(mode & 0o777, 0o700);
  });

  it('starts as a user other than root', { skip: !isRoot && 'this user is one' }, async (test) => {
    const user = await unprivilegedUser();
    if (!(await canEnter(user, fileURLToPath(new URL('.', import.meta.url))))) {
      return test.skip('other users cannot enter the checkout');
    }
    const directory = await mkdtemp('/tmp/watchword-testkit-');
    try {
      await chmod(directory, 0o777);
      const env = { ...process.env, TMPDIR: directory };
      const [child, data] = await startHolder({ ...user, cwd: '/', env });
      assert.ok(data.startsWith(directory));
      child.kill();
      await disappears(data);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('ends with the process that started it, also after SIGKILL, and leaves nothing', async () => {
    const [child, directory] = await startHolder({});
    assert.ok(existsSync(directory));
    child.kill('SIGKILL');
    await disappears(directory);
  });

  it('installs without install scripts, from and beside directories that its user cannot enter', async () => {
    await using directory = await privateDirectory();
    const { version, directory: packaged } = installedPackage();
    const copy = join(directory.path, 'package');
    // Without the links that the script makes.
    await copyDirectory(packaged, copy, {
      modes: { directory: 0o700, file: 0o600 },
      include: (path) => !/^lib\/lib(?:pq|icu\w+)\.so(?:\.\d+)?$/.test(path),
    });
    const open = await mkdtemp('/tmp/watchword-testkit-');
    try {
      await chmod(open, 0o755);
      const closed = join(directory.path, 'cache');
      const { programs } = await installPostgresql([closed, open], { version, directory: copy });
      assert.ok(programs.startsWith(isRoot ? open : closed));
    } finally {
      await rm(open, { recursive: true });
    }
  });

  it('is not taken from a directory that another user can change', async () => {
    await using directory = await privateDirectory();
    await chmod(directory.path, 0o755);
    const user = (await unprivilegedUser()).uid ?? process.getuid?.();
    const foreign = join(directory.path, `watchword-postgresql-x-${user}-1`);
    await mkdir(foreign);
    await chmod(foreign, 0o777);
    const { directory: packaged } = installedPackage();
    await assert.rejects(installPostgresql([directory.path], { version: 'x', directory: packaged }), {
      message: `${foreign} belongs to another user or can be changed by others. Remove it.`,
    });
  });
});

describe('a database of a test', () => {
  it('has only what its test writes, and is dropped with the connections to it', async () => {
    const server = await postgresqlServer();
    const [one, other] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    await query(one.url, 'create table event (id int)');
    await assert.rejects(query(other.url, 'select * from event'), /does not exist/);
    const sleeping = assert.rejects(query(one.url, 'select pg_sleep(600)'), /terminat/);
    const running = `select 1 from pg_stat_activity where datname = '${one.name}' and query like 'select pg_sleep%'`;
    while ((await query(server.url(), running)).length === 0);
    await Promise.all([one.drop(), other.drop(), sleeping]);
    await assert.rejects(query(one.url, 'select 1'), /does not exist/);
  });

  it('is a copy of a template that is filled once, whoever asks first', async () => {
    const server = await postgresqlServer();
    let filled = 0;
    const fill = async (url: string) => {
      filled += 1;
      await query(url, 'create table event (id int)');
    };
    const name = `events_${process.pid}`;
    const [template, again] = await Promise.all([server.template(name, fill), server.template(name, fill)]);
    assert.deepEqual([filled, again], [1, template]);
    await using database = await server.createDatabase(template);
    assert.deepEqual(await query(database.url, 'select * from event'), []);
  });
});

describe('a PostgreSQL server of one test', () => {
  it('keeps what was committed when it is stopped, stopped at once or killed', async () => {
    await using server = await startPostgresql({ settings: { max_connections: '17' } });
    assert.deepEqual(await server.query('show max_connections'), [{ max_connections: '17' }]);
    await server.query('create table event (id int)');
    for (const [index, end] of (['fast', 'immediate', 'kill'] as const).entries()) {
      await server.query('insert into event values (1)');
      await (end === 'kill' ? server.kill() : server.stop(end));
      assert.equal(server.isRunning, false);
      await assert.rejects(server.query('select 1'), { code: 'ECONNREFUSED' });
      await server.restart();
      assert.equal(server.isRunning, true);
      assert.equal(await count(server), index + 1);
    }
  });

  it('keeps its data after its end if it is told to, and another one starts on them', async () => {
    const options = { keepsData: true, settings: { fsync: 'on' } };
    let dataDirectory: string;
    {
      await using server = await startPostgresql(options);
      ({ dataDirectory } = server);
      await server.query('create table event (id int)');
      await server.query('insert into event values (1)');
    }
    assert.ok(existsSync(dataDirectory));
    await using server = await startPostgresql({ dataDirectory });
    assert.equal(await count(server), 1);
    assert.match(server.log(), /database system was shut down/);
  });

  it('has standbys, one of which takes over when it dies', async () => {
    await using primary = await startPostgresql();
    await primary.query('create table event (id int)');
    await using standby = await startStandby(primary);
    await primary.query('insert into event values (1)');
    await standby.replayed(primary);
    assert.equal(await count(standby), 1);
    await assert.rejects(standby.query('insert into event values (2)'), { code: '25006' });
    await primary.kill();
    await standby.promote();
    await standby.query('insert into event values (2)');
    assert.equal(await count(standby), 2);
  });
});
