import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  copyDemo,
  demoClient,
  demoResourceServer,
  servedRequests,
  startServer,
} from '@watchword/server-testkit/servers/server';
import { rounds } from '@watchword/testkit';

const crashes = rounds(1, 5);
const workers = 16;

describe('durability', () => {
  it('a kill -9 under load loses no token that was answered, and makes no revoked token valid', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyDemo(database);
    const args = ['--demo', 'small', '--port', '0', '--database', database, '--log-level', 'info'];
    const issued = new Set<string>();
    const revoked = new Set<string>();
    for (let round = 0; round < crashes; round += 1) {
      await using server = await startProcess(args);
      const killAfter = issued.size + randomInt(60, rounds(120, 800));
      const killed = new Promise<void>((resolve) => {
        const load = async () => {
          for (;;) {
            const token = await request(
              server.baseUrl,
              '/oauth2/token',
              { grant_type: 'client_credentials' },
              demoClient,
            ).then((answer) => answer?.access_token);
            if (token === undefined) return;
            issued.add(token);
            if (issued.size >= killAfter) resolve();
            if (randomInt(10) > 0) continue;
            // Without an answer yet, the token can be active or revoked.
            issued.delete(token);
            if ((await request(server.baseUrl, '/oauth2/revoke', { token }, demoClient)) === undefined)
              return;
            revoked.add(token);
          }
        };
        for (let worker = 0; worker < workers; worker += 1) void load();
      });
      await killed;
      assert.equal(await server.end('SIGKILL'), 'SIGKILL');
    }
    await using server = await startServer({ database });
    const isActive = async (token: string) =>
      (await request(server.baseUrl, '/v1/tokeninfo', { access_token: token }, demoResourceServer))
        ?.audience === 'Demo Service';
    const lost = await filter(issued, async (token) => !(await isActive(token)));
    const revived = await filter(revoked, isActive);
    assert.ok(issued.size >= crashes * 50 && revoked.size > 0);
    assert.equal(lost.length, 0, `${lost.length} of ${issued.size} acknowledged tokens are lost`);
    assert.equal(revived.length, 0, `${revived.length} of ${revoked.size} revoked tokens are alive`);
  });
});

async function request(
  baseUrl: string,
  path: string,
  form: Record<string, string>,
  credentials: string,
): Promise<Partial<Record<'access_token' | 'audience', string>> | undefined> {
  try {
    const { text } = await servedRequests(baseUrl).post(path, form, credentials);
    return text === '' ? {} : JSON.parse(text);
  } catch {
    // The server was killed before its answer was complete: the token was not issued.
    return undefined;
  }
}

async function filter(
  tokens: Iterable<string>,
  keep: (token: string) => Promise<boolean>,
): Promise<string[]> {
  const kept: string[] = [];
  for (const token of tokens) if (await keep(token)) kept.push(token);
  return kept;
}
