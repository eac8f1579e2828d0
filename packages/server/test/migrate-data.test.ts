import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory, watchword } from '@watchword/server-testkit/process';
import { demoClient, demoResourceServer, postForm } from '@watchword/server-testkit/server';
import { postgresqlServer } from '@watchword/testkit/postgresql';

// Both engines are named in each test.
const onThese = { env: {} };

async function issue(baseUrl: string): Promise<string> {
  const answer = await postForm(baseUrl, '/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function status(baseUrl: string, access_token: string): Promise<number> {
  return (await postForm(baseUrl, '/v1/tokeninfo', { access_token }, demoResourceServer)).status;
}

describe('moving data', () => {
  it('keeps tokens valid on the way to PostgreSQL and back', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.db');
    let token = '';
    {
      await using server = await startProcess(['--database', file, '--port', '0', '--demo']);
      token = await issue(server.baseUrl);
    }
    await using target = await (await postgresqlServer()).createDatabase();
    const there = await watchword(['migrate-data', '--from', file, '--to', target.url, '--json'], onThese);
    assert.deepEqual([there.code, there.stderr.match(/error|password/gi)], [0, null]);
    assert.equal(JSON.parse(there.stdout).tables.access_token, 1);
    const other = await (async () => {
      await using server = await startProcess(['--database', target.url, '--port', '0', '--demo']);
      assert.equal(await status(server.baseUrl, token), 200);
      return issue(server.baseUrl);
    })();
    const back = directory.file('back.db');
    const result = await watchword(['migrate-data', '--from', target.url, '--to', back], onThese);
    assert.equal(result.code, 0, result.stderr);
    await using server = await startProcess(['--database', back, '--port', '0', '--demo']);
    for (const each of [token, other]) assert.equal(await status(server.baseUrl, each), 200);
  });
});
