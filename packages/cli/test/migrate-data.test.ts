import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/engine';
import { watchword } from '@watchword/server-testkit/process';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { databases, move } from './support/moved-database.ts';

const app = 'demo-app:demo-app-client-secret';
const authorize = '/authorize?response_type=code&client_id=demo-app';

const redeem = (server: TestServer, code: string) =>
  server.post('/oauth2/token', { grant_type: 'authorization_code', code }, app);
const refresh = (server: TestServer, refresh_token: string) =>
  server.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token }, app);
const lookUp = (server: TestServer, token: string) =>
  server.get(`/v1/tokeninfo?access_token=${token}`, { authorization: `Basic ${btoa(demoResourceServer)}` });

/** emma logs in with her browser, and the client redeems the code. */
async function logIn(server: TestServer, agent: UserAgent) {
  const { parameters } = await followFlow(agent, `${server.baseUrl}${authorize}`);
  const { json } = await redeem(server, parameters.get('code') ?? '');
  return { token: String(json.access_token), refreshToken: String(json.refresh_token) };
}

describe('migrate-data', onlyOn('sqlite', 'each test names both engines itself'), () => {
  it('keeps tokens, sessions and consents on the way to PostgreSQL and back', async () => {
    await using at = await databases();
    const agent = new UserAgent();
    let port = '0';
    let issued: Awaited<ReturnType<typeof logIn>>;
    {
      await using server = await startServer({ database: at.file });
      issued = await logIn(server, agent);
      port = String(server.port);
    }
    await move('--from', at.file, '--to-url-file', at.urlFile);
    {
      await using server = await startServer({ database: at.url, port });
      const { status, json } = await lookUp(server, issued.token);
      assert.deepEqual([status, json.principal?.name ?? json.username], [200, 'emma']);
      const next = await refresh(server, issued.refreshToken);
      assert.equal(next.status, 200);
      const again = await agent.get(`${server.baseUrl}${authorize}`);
      assert.match(again.location ?? '', /[?&]code=/, 'the session and the consent are known');
      issued = { token: next.json.access_token, refreshToken: next.json.refresh_token };
    }
    const back = at.path('back.db');
    await move('--from-url-file', at.urlFile, '--to', back);
    await using server = await startServer({ database: back, port });
    assert.equal((await lookUp(server, issued.token)).status, 200);
    assert.equal((await refresh(server, issued.refreshToken)).status, 200);
  });

  it('needs one name of each database, and two databases', async () => {
    await using at = await databases();
    for (const [args, message] of [
      [['--from', at.file], /expected --to or --to-url-file/],
      [
        ['--from', at.file, '--from-url-file', at.urlFile, '--to', 'x.db'],
        /--from or --from-url-file, and not both/,
      ],
      [['--from', at.file, '--to', at.file], /name the same database/],
    ] as const) {
      const { code, stderr } = await watchword(['migrate-data', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });

  it('warns of a password in a flag, and never prints it', async () => {
    await using at = await databases();
    const url = at.url.replace(/\/\/([^:@]*)(:[^@]*)?@/, '//$1:geheim@');
    const { stdout, stderr } = await watchword(['migrate-data', '--from', at.file, '--to', url]);
    assert.match(stderr, /warning: --to has a password.*--to-url-file/);
    assert.doesNotMatch(stdout + stderr, /geheim/);
  });
});
