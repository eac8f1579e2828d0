import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { loadConfiguration } from '@watchword/server/config/load';
import type { Logger } from '@watchword/server/runtime/log/logger';
import { logged, startProcess, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { startServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { freePort } from '@watchword/testkit/free-port';
import { startSite } from '@watchword/testkit/site';
import { askLoginPage } from '../../src/serving/own-login-page.ts';

type Flags = Parameters<typeof startServer>[0];
type Line = readonly [level: string, details: Readonly<Record<string, unknown>>, text: string];

/** What the question logs. */
async function asked(
  flags: NonNullable<Flags>,
  started: { readonly baseUrl: string; readonly port: number },
  end = new AbortController().signal,
): Promise<Line[]> {
  const { configuration } = await loadConfiguration({ flags, environment: {}, file: undefined });
  const lines: Line[] = [];
  const at =
    (level: string) =>
    (...[details, text]: [Record<string, unknown>, string]) =>
      void lines.push([level, details, text]);
  const logger = { debug: at('debug'), warn: at('warn'), error: at('error') } as unknown as Logger;
  await askLoginPage(configuration, started, logger, end, 0);
  return lines;
}

const host = '127.0.0.1';

/** A server for this base URL, which is asked for its login page: the lines of the question, and what it has left. */
async function askedAtServer(flags: NonNullable<Flags>, path = '') {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}${path}`;
  const all = { host, port: String(port), baseUrl, ...flags };
  await using server = await startServer(all);
  const { store } = server.service;
  const before = server.log().length;
  const events = await store.auditEvents.list({ limit: 10 });
  const [line = ['none', {}, ''], ...others] = await asked(all, { baseUrl, port });
  assert.deepEqual(others, []);
  assert.deepEqual(await store.auditEvents.list({ limit: 10 }), events);
  const sessions = await store.loginSessions.list({ limit: 10 });
  assert.equal(sessions.length, 0);
  const log = server.log().slice(before).trim();
  const levels = log.split('\n').map((each) => JSON.parse(each).level);
  return { line, requests: log.match(/"route":"[^"]*"/g), levels };
}

/** A site in place of the server, with this page. */
async function askedAtSite(status: number, html: string) {
  const seen: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  await using site = await startSite((request, response) => {
    seen.push(request);
    response.writeHead(status, { 'content-type': 'text/html', 'x-request-id': 'a-1' }).end(html);
  });
  const baseUrl = 'https://id.example/sso';
  const port = Number(new URL(site.url).port);
  const lines = await asked({ host, port: String(port), baseUrl }, { baseUrl, port });
  return { lines, seen };
}

const url = 'https://id.example/sso/account';

describe('a start', () => {
  it('asks its own login page once, with the path of its base URL, and leaves no session and no event', async () => {
    const { line, requests, levels } = await askedAtServer({ authenticator: 'password' }, '/sso');
    assert.deepEqual([line[0], line[2]], ['debug', 'the login page answers']);
    assert.deepEqual(requests, ['"route":"/sso/account"']);
    assert.ok(levels.every((level) => level < 40));
  });

  it('asks for the choice of several authenticators, and begins no login with one of them', async () => {
    const { line, requests } = await askedAtServer({ authenticators: 'form,password' });
    assert.equal(line[0], 'debug');
    assert.deepEqual(requests, ['"route":"/account"']);
  });

  it('asks no module that lets a caller in without a page, and the page of its addresses in place of it', async () => {
    const { line, requests } = await askedAtServer({ authenticator: 'noop' });
    assert.equal(line[0], 'debug');
    assert.deepEqual(requests, ['"route":"/"']);
  });

  it('asks at this machine with the host of its base URL, as a proxy would', async () => {
    const { lines, seen } = await askedAtSite(200, '<form method="post" action="/sso/login">');
    assert.deepEqual(lines, [['debug', { url, requestId: 'a-1' }, 'the login page answers']]);
    assert.deepEqual(
      seen.map((request) => [request.url, request.headers.host]),
      [['/sso/account', 'id.example']],
    );
  });

  for (const [what, status, html, problem] of [
    ['answers an error', 500, '', 'answers 500, expected 200; the log has the reason'],
    [
      'has a form that is sent to another host',
      200,
      '<form method="post" action="//sso/login">',
      'has a form that is sent to https://sso/login, expected an address below https://id.example/sso; correct baseUrl, or the template',
    ],
    [
      'has a form that is sent to another path',
      200,
      "<form action='/login?a=1&amp;b=2'>",
      'has a form that is sent to https://id.example/login?a=1&b=2, expected an address below https://id.example/sso; correct baseUrl, or the template',
    ],
  ] as const) {
    it(`says that nobody can log in when its login page ${what}`, async () => {
      const { lines } = await askedAtSite(status, html);
      assert.deepEqual(lines, [
        ['error', { url, requestId: 'a-1' }, `users cannot log in: the login page ${problem}`],
      ]);
    });
  }

  it('warns when nothing answers at this machine, and says nothing once it ends', async () => {
    const port = await freePort();
    const baseUrl = `http://localhost:${port}`;
    const flags = { host, port: String(port) };
    const [[level, { err } = {}] = ['none']] = await asked(flags, { baseUrl, port });
    assert.deepEqual([level, (err as NodeJS.ErrnoException).code], ['warn', 'ECONNREFUSED']);
    assert.deepEqual(await asked(flags, { baseUrl, port }, AbortSignal.abort()), []);
  });

  // The tests above have what is wrong, and starters.test.ts a process that asks.
  slowTest('does it after it has begun to answer, and logs what is wrong', async () => {
    await using directory = await temporaryDirectory();
    const templates = directory.file('templates');
    await mkdir(templates);
    await writeFile(`${templates}/login.eta`, '<form method="post" action="https://id.example/login">');
    await copyMigrated(directory.file('x.db'));
    const args = ['--port', '0', '--database', directory.file('x.db'), '--authenticator', 'password'];
    await using server = await startProcess([...args, '--pages-templates', templates]);
    await logged(server.log, /"msg":"users cannot log in: the login page has a form that is sent to https:/);
    assert.match(server.log(), /"msg":"listening"[\s\S]*"route":"\/account"[\s\S]*users cannot log in/);
  });
});
