import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import { until } from '@watchword/server-testkit/processes/process';
import { accountUsers } from '@watchword/server-testkit/servers/account-server';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { RefusedPasswords } from '../../src/runtime/metrics/password-load.ts';
import { threads } from '../../src/system.ts';

const warnings = (server: TestServer, text: RegExp) =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":40') && text.test(line))
    .map((line) => JSON.parse(line));

describe('a login that finds too many passwords waiting', () => {
  it('counts as busy and never as a failure, and the log warns of it', async () => {
    await using server = await startServer({
      authenticator: 'password',
      'passwordHashing.concurrency': '1',
      'passwordHashing.maxWaiting': '0',
    });
    await (await accountUsers(server)).addAccount('emma');
    const value = async (name: string, labels = {}) =>
      seriesValue(parseExposition((await server.get('/metrics')).text), name, labels);
    const logins = (outcome: string) =>
      value('watchword_logins_total', { authenticator: 'password', outcome });
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    // One is hashed while the others come, soon if not at once.
    await until(async () => {
      const agents = [new UserAgent(), new UserAgent(), new UserAgent()];
      const pages = await Promise.all(agents.map((agent) => agent.get(url)));
      const typed = { username: 'emma', password: 'correct horse battery' };
      const answers = await Promise.all(
        pages.map((page, index) => (agents[index] ?? assert.fail()).submit(page, typed)),
      );
      return answers.some(({ status, headers }) => status === 503 && headers.get('retry-after') === '2');
    });
    const busy = Number(await logins('busy'));
    assert.ok(busy > 0);
    assert.equal(await logins('failure'), 0);
    assert.equal(await value('watchword_passwords_refused_total'), busy);
    assert.equal(await value('watchword_password_hashings', { state: 'limit' }), 0);
    assert.equal(await value('watchword_password_hashings', { state: 'waiting' }), 0);
    assert.deepEqual(warnings(server, /UV_THREADPOOL_SIZE/), []);
    const [warning, ...others] = warnings(server, /passwords are refused/);
    assert.deepEqual([warning.refused, warning.running, warning.limit, others], [1, 1, 0, []]);
  });

  it('is in a warning at most once a minute, which has the number of all since the last one', () => {
    const lines: object[] = [];
    let now = 5;
    const refused = new RefusedPasswords(
      { warn: (fields: object) => lines.push(fields) } as never,
      () => now,
    );
    const load = { running: 1, waiting: 32, limit: 32 };
    for (const time of [5, 6, 60_004, 60_005, 60_006, 200_000]) {
      now = time;
      refused.add(load);
    }
    assert.deepEqual(lines, [
      { refused: 1, ...load },
      { refused: 3, ...load },
      { refused: 2, ...load },
    ]);
    assert.equal(refused.count, 6);
  });
});

describe('the number of passwords that are hashed at a time', () => {
  it('is no greater than that of the threads of Node.js, and a warning says how to have more', async () => {
    assert.deepEqual(
      [undefined, '16', '0', 'x', '9999'].map((size) => threads(size)),
      [4, 16, 1, 1, 1024],
    );
    await using server = await startServer({ 'passwordHashing.concurrency': '128' });
    const [warning] = warnings(server, /UV_THREADPOOL_SIZE=130/);
    assert.equal(warning.threads, threads());
  });
});
