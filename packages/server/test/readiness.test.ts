import assert from 'node:assert/strict';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/engine';
import {
  logged,
  startProcess,
  startUnheard,
  temporaryDirectory,
  watchword,
} from '@watchword/server-testkit/process';
import { demoClient, demoResourceServer, postForm, readAnswer } from '@watchword/server-testkit/server';
import { sql } from '@watchword/server-testkit/sql';
import { damagePage, leafPages } from '@watchword/testkit';
import { smallDisk } from './support/small-disk.ts';
import { writeLock } from './support/write-lock.ts';

async function issue(baseUrl: string) {
  return readAnswer(
    await postForm(baseUrl, '/oauth2/token', { grant_type: 'client_credentials' }, demoClient),
  );
}

async function info(baseUrl: string, access_token: string) {
  return readAnswer(await postForm(baseUrl, '/v1/tokeninfo', { access_token }, demoResourceServer));
}

async function readiness(baseUrl: string): Promise<number> {
  return (await readAnswer(await fetch(`${baseUrl}/readyz`))).status;
}

/** Issues many tokens at once until one is rejected. Resolves with the tokens that were issued. */
async function issueUntilRefused(baseUrl: string): Promise<string[]> {
  const tokens: string[] = [];
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 32 }, () => issue(baseUrl)));
    tokens.push(...answers.filter(({ status }) => status === 200).map(({ json }) => json.access_token));
    const refused = answers.find(({ status }) => status !== 200);
    if (refused !== undefined) {
      assert.equal(refused.status, 503);
      return tokens;
    }
    assert.ok(tokens.length < 50_000, 'the disk never became full');
  }
}

describe('GET /readyz over a file', onlyOn('sqlite', 'fills, locks and removes the file'), () => {
  it('is 503 while the disk is full, and 200 again afterwards', async (test) => {
    await using disk = await smallDisk(8192);
    if (disk === undefined) return test.skip('no right to mount a disk');
    const ballast = join(disk.outside, 'ballast');
    await writeFile(ballast, Buffer.alloc(6 * 1024 * 1024));
    const args = ['--demo', '--database', join(disk.path, 'x.db')];
    await using server = await startUnheard(args, disk.wrap);
    assert.equal(await readiness(server.baseUrl), 200);
    const tokens = await issueUntilRefused(server.baseUrl);
    // The rest of the disk can have space for the one row of the readiness check, and then for a token.
    while ((await readiness(server.baseUrl)) === 200) {
      const { status, json } = await issue(server.baseUrl);
      if (status === 200) tokens.push(json.access_token);
    }
    for (let attempt = 0; attempt < 20; attempt += 1) {
      assert.equal(await readiness(server.baseUrl), 503);
    }
    assert.equal((await fetch(`${server.baseUrl}/healthz`)).status, 200);
    await rm(ballast);
    assert.equal(await readiness(server.baseUrl), 200);
    assert.equal((await issue(server.baseUrl)).status, 200);
    for (const token of tokens) assert.equal((await info(server.baseUrl, token)).status, 200);
  });

  it('is 503 while another process has the write lock, and 200 again afterwards', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await using server = await startProcess(['--demo', '--port', '0', '--database', database]);
    {
      await using _lock = await writeLock(database);
      assert.equal((await issue(server.baseUrl)).status, 503);
      assert.equal(await readiness(server.baseUrl), 503);
    }
    assert.equal(await readiness(server.baseUrl), 200);
  });

  it('is 503 after the database file was removed, and no token is issued', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await using server = await startProcess(['--demo', '--port', '0', '--database', database]);
    assert.equal(await readiness(server.baseUrl), 200);
    assert.equal((await stat(database)).mode & 0o077, 0);
    await rm(database);
    assert.equal((await issue(server.baseUrl)).status, 503);
    assert.equal(await readiness(server.baseUrl), 503);
    await logged(server.log, /was removed or replaced while it was open/);
  });
});

describe('a server whose database is damaged', onlyOn('sqlite', 'damages pages of the file'), () => {
  it('answers requests that need no damaged page, reports the damage, and is not ready after it has read everything', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    const args = ['--port', '0', '--database', database];
    const tokens: string[] = [];
    {
      await using server = await startProcess(['--demo', ...args]);
      while (tokens.length < 300) tokens.push((await issue(server.baseUrl)).json.access_token);
      assert.equal(await server.end('SIGTERM'), 0);
    }
    const sound = await watchword(['check', '--json', '--database', database]);
    assert.deepEqual(
      [sound.code, JSON.parse(sound.stdout)],
      [0, { database, checked: ['every page and every index'], findings: [], warnings: [] }],
    );
    damagePage(database, leafPages(database, 'access_token')[0] ?? 0);
    await using server = await startProcess(args);
    const failed = await info(server.baseUrl, tokens[0] ?? '');
    assert.equal(failed.status, 500);
    assert.equal(failed.json.error, 'server_error');
    assert.equal(failed.headers.get('retry-after'), null);
    assert.doesNotMatch(failed.text, /SQLite|malformed/);
    assert.equal((await info(server.baseUrl, tokens.at(-1) ?? '')).status, 200);
    await logged(server.log, /"level":50.*malformed.*watchword check.*watchword restore/);
    await logged(server.log, /"findings":\["access_token: .*the database is damaged/);
    assert.equal(await readiness(server.baseUrl), 503);
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
    assert.match(metrics, /^watchword_request_errors_total\{error="store_damaged"\} 1$/m);
    assert.match(metrics, /^watchword_database_damaged 1$/m);
    const check = await watchword(['check', '--database', database]);
    assert.equal(check.code, 1);
    assert.match(
      check.stdout,
      /x\.db is damaged:\n(?: {2}.*\n)* {2}access_token: .*\n(?: {2}.*\n)*Its data can be wrong.*watchword restore/,
    );
  });
});

describe('watchword check', onlyOn('sqlite', 'the errors of files'), () => {
  it('rejects a file that is no database of Watchword', async () => {
    await using directory = await temporaryDirectory();
    const missing = await watchword(['check', '--database', directory.file('none.db')]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /There is no database at/);
    const other = directory.file('other.db');
    await sql(other, 'create table recipe (id integer)');
    const refused = await watchword(['check', '--database', other]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /database of another application/);
  });
});
