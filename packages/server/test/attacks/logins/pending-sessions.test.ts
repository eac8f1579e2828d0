import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { newPasskey } from '@watchword/server-testkit/people/passkeys';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { Authenticator } from '@watchword/testkit/authenticator';
import type { Page, UserAgent } from '@watchword/testkit/user-agent';

const password = 'correct horse battery';

/**
 * The browser has the cookie of a session that waits for a second factor. No browser ever gets it, so the test takes the one of a session
 * that was valid.
 */
describe('the cookie of a login that has steps left', () => {
  let server: AccountServer;
  let app: Application;
  let mallory: UserAgent;
  before(async () => {
    server = await startAccountServer();
    app = await registerApplication(server);
    await server.addAccount('emma');
    mallory = await server.browserOf('emma');
    const page = await mallory.get(url('/account/totp'));
    const code = AuthenticatorApp.of(page).code();
    await mallory.submit(page, { code });
  });
  after(() => server[Symbol.asyncDispose]());

  const url = (path: string) => `${server.baseUrl}${path}`;
  const owner = { identityProvider: 'password', name: 'emma' };
  const cookieOf = (agent: UserAgent, isMeant: (name: string) => boolean) =>
    agent.cookies
      .filter(({ name }) => isMeant(name))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');

  const mark = async (isPending: boolean) => {
    const [row] = await sql(
      server.database,
      `select authentication from login_session where principal_name = 'emma'`,
    );
    const { isPending: _, ...authentication } = JSON.parse(String(row?.authentication));
    const text = JSON.stringify({ ...authentication, ...(isPending && { isPending }) });
    await sql(
      server.database,
      `update login_session set authentication = ? where principal_name = 'emma'`,
      text,
    );
  };

  it('is worth nothing at any address', async () => {
    const withSession = cookieOf(mallory, () => true);
    const without = cookieOf(mallory, (name) => !name.includes('session'));
    assert.notEqual(withSession, without);
    const asked = async (path: string, method: string, cookie: string) => {
      const body = method === 'POST' ? new URLSearchParams({ auth_state: 'x' }) : undefined;
      const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' };
      const answer = await fetch(url(path), { method, headers, redirect: 'manual', ...(body && { body }) });
      const location = new URL(answer.headers.get('location') ?? '/', server.baseUrl);
      const html = await answer.text();
      const heading = /<h1>(.*?)<\/h1>/s.exec(html)?.[1];
      const error = location.searchParams.get('error');
      return {
        status: answer.status,
        to: location.pathname,
        error,
        heading,
        knows: html.includes('The emma'),
      };
    };
    const authorize = new URL(app.authorizeUrl());
    // attacks/administration.test.ts holds that no operation of the administration knows a session.
    const addresses = server.service.endpoints
      .filter(({ path }) => !/^\/(?:client\/assets|admin)\//.test(path))
      .flatMap(({ path, methods }) =>
        Object.keys(methods).map((method) => [path.replaceAll(/[:*]\w*/g, '1'), method] as const),
      );
    const all = [
      ...addresses,
      [`/authorize${authorize.search}`, 'GET'],
      [`/authorize${authorize.search}&prompt=none`, 'GET'],
    ] as const;
    assert.ok(addresses.length > 50, `expected all endpoints, got ${addresses.length}`);
    await mark(true);
    await Promise.all(
      all.map(async ([path, method]) => {
        const pending = await asked(path, method, withSession);
        const nobody = await asked(path, method, without);
        assert.deepEqual(pending, { ...nobody, knows: false }, `${method} ${path}`);
      }),
    );
    await mark(false);
    for (const path of ['/account', '/account/password']) {
      assert.ok((await asked(path, 'GET', withSession)).knows, 'expected that the test can tell');
    }
  });

  it('answers no page that was shown before', async () => {
    const { html } = await mallory.get(url('/account'));
    const [, factor = ''] = /href="([^"]*\/account\/factor\?id=[^"]*)"/.exec(html) ?? [];
    assert.notEqual(factor, '');
    const next = 'a new and long one';
    type Values = Readonly<Record<string, string>>;
    const shown: readonly [path: string, values: Values | ((page: Page) => Values)][] = [
      ['/account', { everywhere: 'yes' }],
      ['/account/totp', { code: '000000' }],
      ['/account/passkey', (page) => newPasskey(page, new Authenticator(), server)],
      ['/account/recovery-codes', {}],
      [factor, { remove: 'yes', password }],
      [factor, { name: 'mine' }],
      ['/account/password', { password, new_password: next, new_password_again: next }],
      ['/account/delete', { password }],
    ];
    const pages: [Page, Values][] = [];
    for (const [path, values] of shown) {
      const page = await mallory.get(url(path));
      pages.push([page, typeof values === 'function' ? values(page) : values]);
    }
    const { accounts, auditEvents, credentials, loginSessions } = server.service.store;
    const stored = async () => {
      const [session] = await loginSessions.list({ owner, limit: 9 });
      return {
        account: await accounts.find('emma'),
        credentials: await credentials.listBySubject(session?.owner.subject ?? ''),
        events: (await auditEvents.list({ limit: 99 })).length,
      };
    };
    await mark(true);
    const before = await stored();
    for (const [page, values] of pages) {
      const answer = await mallory.submit(page, values);
      assert.ok(!answer.text.includes('The emma'), page.url);
    }
    assert.deepEqual(await stored(), before);
    assert.ok(!(await isLoggedIn(mallory, server)));
    await mark(false);
  });
});
