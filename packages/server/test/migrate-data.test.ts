import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/engine';
import { bin, temporaryDirectory, watchword } from '@watchword/server-testkit/process';
import { copyDemo, demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { postgresqlServer } from '@watchword/testkit/postgresql';
import { UserAgent } from '@watchword/testkit/user-agent';

const app = 'demo-app:demo-app-secret';
const authorize = '/authorize?response_type=code&client_id=demo-app';

/** The demo records in a SQLite file, an empty database of PostgreSQL, and a file with its URL. */
async function databases() {
  const directory = await temporaryDirectory();
  const made = await (await postgresqlServer()).createDatabase();
  const [file, urlFile] = [directory.file('watchword.db'), directory.file('url')];
  await copyDemo(file);
  await writeFile(urlFile, `${made.url}\n`);
  return {
    file,
    urlFile,
    url: made.url,
    path: directory.file,
    async [Symbol.asyncDispose]() {
      await made.drop();
      await directory[Symbol.asyncDispose]();
    },
  };
}

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

async function move(...args: readonly string[]) {
  const { code, stdout, stderr } = await watchword(['migrate-data', ...args, '--json']);
  assert.deepEqual([code, /error|warning/.test(stderr)], [0, false], stderr);
  return JSON.parse(stdout);
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

  it('continues after it was killed', async () => {
    await using at = await databases();
    fill(at.file, 20_000);
    const args = ['migrate-data', '--from', at.file, '--to-url-file', at.urlFile, '--json'];
    const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    for await (const text of child.stderr) if (/copied client:/.test(String(text))) break;
    child.kill('SIGKILL');
    await once(child, 'close');
    const refused = await watchword(['migrate', '--check', '--database-url-file', at.urlFile]);
    assert.match(refused.stderr, /only a part of its rows.*Run the same command again/);
    const report = await move('--from', at.file, '--to-url-file', at.urlFile);
    assert.equal(report.tables.access_token, 20_000);
    assert.ok(report.alreadyCopied > 0);
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

function fill(file: string, tokens: number): void {
  const db = new DatabaseSync(file);
  db.exec(`insert into access_token with recursive n (i) as (select 1 union all select i + 1 from n where i < ${tokens})
    select randomblob(16), randomblob(32), 1, 'read', 0, i, null, null, i / 100 from n`);
  db.close();
}
