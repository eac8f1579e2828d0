import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { copyDirectory } from '../src/postgresql/copy-directory.ts';
import { installedPackage, installPostgresql } from '../src/postgresql/installation.ts';
import { canEnter, unprivilegedUser } from '../src/postgresql/run-as.ts';
import { type PostgresqlServer, startPostgresql, startStandby } from '../src/postgresql.ts';
import { privateDirectory } from './support/private-directory.ts';

const isRoot = process.getuid?.() === 0;
const holder = fileURLToPath(new URL('./support/hold-postgresql.ts', import.meta.url));

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
});

describe('a PostgreSQL server of one test', () => {
  it('keeps what was committed when it is stopped, stopped at once or killed', async () => {
    await using server = await startPostgresql({ settings: { max_connections: '17' } });
    assert.deepEqual(await server.query('show max_connections'), [{ max_connections: '17' }]);
    await server.query('create table event (id int)');
    for (const [index, end] of (['fast', 'immediate', 'kill'] as const).entries()) {
      await server.query('insert into event values (1)');
      await (end === 'kill' ? server.kill() : server.stop(end));
      assert.ok(!server.isRunning);
      await assert.rejects(server.query('select 1'), { code: 'ECONNREFUSED' });
      await server.restart();
      assert.ok(server.isRunning);
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
