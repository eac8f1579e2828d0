import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { buildAccount } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../support/error-answers.ts';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const version = /\d+\.\d+\.\d+/;

let server: TestServer;
let below: TestServer;
before(async () => {
  server = await startServer();
  below = await startServer({ baseUrl: 'http://localhost:1/auth/v2' });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await below[Symbol.asyncDispose]();
});

describe('the base URL', () => {
  it('shows users where to continue, in their language, under the policy of all pages', async () => {
    for (const [language, title] of [
      ['en', 'Welcome'],
      ['nl', 'Welkom'],
      ['de', 'Willkommen'],
    ] as const) {
      const answer = await server.get('/', { ...browser, 'accept-language': language });
      assert.equal(answer.status, 200);
      assert.match(answer.text, new RegExp(`<h1>${title}</h1>`));
      assert.equal(answer.headers.get('vary'), 'Accept-Language, Cookie, Accept');
      assert.match(
        answer.headers.get('content-security-policy') ?? '',
        /^default-src 'none'; script-src 'self'/,
      );
      assert.doesNotMatch(answer.text, version);
    }
  });

  it('links to addresses that exist, also below a path, with and without a slash at its end', async () => {
    for (const [path, { port }] of [
      ['', server],
      ['/auth/v2', below],
    ] as const) {
      const root = `http://127.0.0.1:${port}`;
      for (const address of path === '' ? ['/'] : [path, `${path}/`]) {
        const shown = await (await fetch(`${root}${address}`, { headers: browser })).text();
        const links = [...shown.matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => link);
        assert.deepEqual(links, [
          `${path}/account`,
          `${path}/client/client.html`,
          `${path}/.well-known/oauth-authorization-server`,
          `${path}/admin/docs`,
        ]);
        for (const link of links) {
          // Without a build of the GUI, its page says so.
          const allowed = link.endsWith('client.html') ? [200, 503] : [200];
          const { status } = await fetch(`${root}${link}`, { headers: browser });
          assert.ok(allowed.includes(status), `${link}: ${status}`);
        }
      }
      if (path !== '') assert.equal((await fetch(`${root}/`)).status, 404);
    }
  });

  it('gives programs the same as JSON', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.1']) {
      const answer = await below.get('/', { accept });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('vary'), 'Accept');
      assert.deepEqual(answer.json, {
        accountUrl: 'http://localhost:1/auth/v2/account',
        administrationUrl: 'http://localhost:1/auth/v2/client/client.html',
        metadataUrl: 'http://localhost:1/auth/v2/.well-known/oauth-authorization-server',
        documentationUrl: 'http://localhost:1/auth/v2/admin/docs',
      });
    }
  });

  it('answers GET and HEAD, and no other method', async () => {
    assert.equal((await fetch(`${server.baseUrl}/`, { method: 'HEAD' })).status, 200);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await fetch(`${server.baseUrl}/`, { method });
      assert.equal(status, 405, method);
      assert.equal(headers.get('allow'), 'GET, HEAD');
    }
  });
});

describe('a server without an administrator', () => {
  const command = 'watchword user create NAME --admin';
  const loginOf = (server: TestServer, client: string, redirectUri: string) =>
    new UserAgent().get(
      `${server.baseUrl}/authorize?response_type=code&client_id=${client}&redirect_uri=${encodeURIComponent(redirectUri)}&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`,
    );
  const loginOfPages = (server: TestServer) =>
    loginOf(server, 'authorization-server-admin-js-client', `${server.service.baseUrl}/client/client.html`);

  it('says how the first one is made, on its start page and where one signs in to the administration pages', async () => {
    await using server = await startServer({ authenticator: 'password' });
    const start = async () => (await server.get('/', browser)).text;
    assert.ok((await start()).includes(command));
    assert.ok((await loginOfPages(server)).text.includes(command));
    const other = await loginOf(server, 'demo-app', 'http://127.0.0.1:8081/callback');
    assert.equal(other.status, 200);
    assert.ok(!other.text.includes(command));
    const account = buildAccount({ username: 'root', adminPrincipal: true });
    await server.service.store.transact(({ accounts }) => accounts.create(account));
    assert.ok(!(await start()).includes(command));
    assert.ok(!(await loginOfPages(server)).text.includes(command));
  });

  it('says so where every name can log in, unless it is a demo, which has an administrator', async () => {
    const { text } = await server.get('/', browser);
    assert.ok(text.includes('watchword serve --authenticator password') && text.includes(command));
    for (const flags of [{ authenticator: 'noop-admin' }, {}]) {
      await using other = await startServer(flags, undefined, true);
      assert.ok(!(await other.get('/', browser)).text.includes(command));
    }
  });
});

describe('an address that people type', () => {
  it('leads a browser to the page that it means, with and without a slash at its end, also below a path', async () => {
    for (const [path, { port }] of [
      ['', server],
      ['/auth/v2', below],
    ] as const) {
      const root = `http://127.0.0.1:${port}${path}`;
      for (const [typed, meant] of [
        ...['/admin', '/console', '/client'].map((each) => [each, '/client/client.html'] as const),
        ...['/admin/', '/console/', '/client/'].map((each) => [each, '/client/client.html'] as const),
        ['/account/', '/account'] as const,
      ]) {
        const answer = await fetch(`${root}${typed}`, { headers: browser, redirect: 'manual' });
        assert.deepEqual([answer.status, answer.headers.get('location')], [303, `${path}${meant}`], typed);
      }
    }
  });

  it('is unknown to programs, and changes nothing at the addresses of the administration interface', async () => {
    for (const path of ['/admin', '/admin/', '/console', '/account/']) {
      assertError(await server.get(path, { accept: 'application/json' }), 404, 'unknown_address');
    }
    assert.equal((await server.get('/admin/resourceServer', browser)).status, 401);
  });
});
