import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logged, startProcess, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import {
  type Answer,
  copyDemo,
  demoClient,
  demoResourceServer,
  servedRequests,
  startServer,
} from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';

const limits =
  process.platform === 'win32' ? { skip: 'no limits of files' } : onlyOn('sqlite', 'writes the files itself');

describe('a full disk', limits, () => {
  // A limit on the size of files replaces a full disk: it needs no rights and affects this process only.
  const limited = (kilobytes: number) => (command: string[]) => [
    'sh',
    '-c',
    `trap '' XFSZ; ulimit -f ${kilobytes * 2}; exec "$@"`,
    'sh',
    ...command,
  ];

  it('causes 503 for new tokens, but token info still works, and no token is lost', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyDemo(database);
    const args = ['--demo', 'small', '--port', '0', '--database', database];
    const tokens: string[] = [];
    {
      await using server = await startProcess(args, limited(512));
      let failed: Answer | undefined;
      while (failed === undefined) {
        const answer = await token(server.baseUrl);
        if (answer.status === 200) tokens.push(answer.json.access_token);
        else failed = answer;
        assert.ok(tokens.length < 20_000, 'the limit was never reached');
      }
      assert.equal(failed.status, 503);
      assert.match(failed.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal(failed.json.error, 'temporarily_unavailable');
      assert.equal(await countActive(server.baseUrl, tokens.slice(0, 20)), 20);
      assert.equal((await fetch(`${server.baseUrl}/healthz`)).status, 200);
      assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 503);
      await logged(server.log, /"level":50.*a request failed/);
      for (let each = 0; each < 50; each += 1) assert.equal((await token(server.baseUrl)).status, 503);
      await logged(server.log, /"level":50.*"count":\d+,"msg":"more requests failed for the same reason"/);
      const lines = server.log().match(/"level":50/g);
      assert.ok((lines?.length ?? 0) < 20, `${lines?.length} lines for more than 50 requests`);
    }
    await using server = await startServer({ database });
    assert.equal(await countActive(server.baseUrl, tokens), tokens.length);
    assert.equal((await token(server.baseUrl)).status, 200);
  });

  slowTest('keeps a server from starting, with the reason and exit code 1', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--port', '0', '--database', directory.file('x.db')];
    await copyDemo(directory.file('x.db'));
    await assert.rejects(
      startProcess(args, limited(1)),
      /ended with 1: watchword: (There is no space left for the database|The database) \S+x\.db(\.| cannot)/,
    );
    await using server = await startServer({ database: directory.file('x.db') });
    assert.equal((await token(server.baseUrl)).status, 200);
  });
});

function token(baseUrl: string): Promise<Answer> {
  return servedRequests(baseUrl).post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
}

async function countActive(baseUrl: string, tokens: readonly string[]): Promise<number> {
  const { post } = servedRequests(baseUrl);
  let active = 0;
  for (const access_token of tokens) {
    const { status } = await post('/v1/tokeninfo', { access_token }, demoResourceServer);
    if (status === 200) active += 1;
  }
  return active;
}
