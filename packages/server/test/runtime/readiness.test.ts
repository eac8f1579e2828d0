import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { logged, temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import {
  demoClient,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { provenWriteLock } from '@watchword/server-testkit/servers/write-lock';
import { damagePage, leafPages } from '@watchword/testkit';

type Requests = Pick<TestServer, 'get' | 'post'>;

function issue(server: Requests) {
  return server.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
}

async function readiness(server: Requests): Promise<number> {
  return (await server.get('/readyz')).status;
}

describe('GET /readyz over a file', onlyOn('sqlite', 'fills, locks and removes the file'), () => {
  it('is 503 while another process has the write lock, and 200 again afterwards', async () => {
    await using server = await startServer();
    {
      await using _lock = await provenWriteLock(server);
      assert.equal(await readiness(server), 503);
    }
    assert.equal(await readiness(server), 200);
  });

  it('is 503 after the database file was removed, and no token is issued', async () => {
    await using server = await startServer();
    assert.equal(await readiness(server), 200);
    await rm(server.database);
    assert.equal((await issue(server)).status, 503);
    assert.equal(await readiness(server), 503);
    await logged(server.log, /was removed or replaced while it was open/);
  });
});

describe('a server whose database is damaged', onlyOn('sqlite', 'damages pages of the file'), () => {
  it('answers requests that need no damaged page, reports the damage, and is not ready after it has read everything', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    const tokens: string[] = [];
    {
      await using server = await startServer({ database });
      while (tokens.length < 100) tokens.push((await issue(server)).json.access_token);
    }
    const sound = await watchword(['check', '--json', '--database', database]);
    assert.deepEqual(
      [sound.code, JSON.parse(sound.stdout)],
      [0, { database, checked: ['every page and every index'], findings: [], warnings: [], weakSecrets: [] }],
    );
    damagePage(database, leafPages(database, 'access_token')[0] ?? 0);
    await using server = await startServer({ database });
    server.service.examine();
    const info = (access_token = '') => server.post('/v1/tokeninfo', { access_token }, demoResourceServer);
    const failed = await info(tokens[0]);
    assert.equal(failed.status, 500);
    assert.equal(failed.json.error, 'server_error');
    assert.equal(failed.headers.get('retry-after'), null);
    assert.doesNotMatch(failed.text, /SQLite|malformed/);
    assert.equal((await info(tokens.at(-1))).status, 200);
    await logged(server.log, /"level":50.*malformed.*watchword check.*watchword restore/);
    await logged(server.log, /"findings":\["access_token: .*the database is damaged/);
    assert.equal(await readiness(server), 503);
    const metrics = (await server.get('/metrics')).text;
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
