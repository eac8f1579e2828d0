import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/engine';
import { logged, startProcess, temporaryDirectory } from '@watchword/server-testkit/process';
import { slowTest } from '@watchword/testkit';
import { postgresqlServer, query } from '@watchword/testkit/postgresql';
import { linesOf } from './support/worker-server.ts';

const here = ['--host', '127.0.0.1', '--port', '0'];

/** A role that is dropped at the end. */
async function newRole(url: string, password: string) {
  const name = `role_${randomUUID().replaceAll('-', '')}`;
  await query(url, `create role ${name} superuser login password '${password}'`);
  return {
    name,
    async [Symbol.asyncDispose]() {
      await query(url, `drop role ${name}`);
    },
  };
}

describe('SIGHUP', () => {
  it('makes every worker read the role and password of databaseUrlFile again, without a word of it in the log', async () => {
    const postgresql = await postgresqlServer();
    await using role = await newRole(postgresql.url(), 'former-geheim');
    await using database = await postgresql.createDatabase();
    await using directory = await temporaryDirectory();
    const url = new URL(database.url);
    [url.username, url.password] = [role.name, 'former-geheim'];
    const file = directory.file('url');
    await writeFile(file, url.href);
    const key = directory.file('key');
    await writeFile(key, Buffer.alloc(32, 'test').toString('base64'));
    const flags = ['--database-url-file', file, '--signing-key-file', key, '--workers', '2'];
    await using server = await startProcess(['--demo', 'small', ...here, ...flags]);
    await query(postgresql.url(), `alter role ${role.name} password 'other-geheim'`);

    await writeFile(file, url.href.slice(0, -url.pathname.length - 9));
    server.child.kill('SIGHUP');
    await logged(server.log, /(?:databaseUrlFile has no URL of PostgreSQL[\s\S]*){2}/);

    url.password = 'other-geheim';
    await writeFile(file, url.href);
    server.child.kill('SIGHUP');
    await logged(server.log, /(?:has accepted the new role and password[\s\S]*){2}/);
    const workers = linesOf(server).filter(({ msg }) => /has accepted the new role and password/.test(msg));
    assert.deepEqual(workers.map(({ worker }) => worker).sort(), [1, 2]);
    assert.doesNotMatch(server.log() + server.stderr(), /geheim/);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  slowTest('ends no server that has nothing to read', onlyOn('sqlite', 'has no password'), async () => {
    await using directory = await temporaryDirectory();
    await using server = await startProcess([...here, '--database', directory.file('test.db')]);
    server.child.kill('SIGHUP');
    await logged(server.log, /nothing was read again: the database is a file of SQLite/);
    assert.equal(await server.end('SIGTERM'), 0);
  });
});
