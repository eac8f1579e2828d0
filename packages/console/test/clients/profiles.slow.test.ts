import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { watchword } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { addressOf, type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';
import { countRegistered, interruptAtForm, signInAgain } from '../support/interrupted.ts';

describe('the administration GUI under the profile oauth-2.1', () => {
  let gui: OpenConsole<TestServer>;
  const asked: URLSearchParams[] = [];
  before(async () => {
    gui = await openConsole(startServer({ profile: 'oauth-2.1' }));
    gui.visitor.page.context().on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/authorize') asked.push(searchParams);
    });
  });
  after(() => gui[Symbol.asyncDispose]());

  it('gets its token by a code with PKCE, which leaves the address bar, and again without leaving the page', async () => {
    const { server, visitor } = gui;
    const { page } = visitor;
    await visitor.signInByPages('emma', '/resource-servers/new');
    await page.locator('.signed-in').waitFor();
    assert.equal(page.url(), `${addressOf(server)}#/resource-servers/new`);
    await page.reload();
    await page.locator('.signed-in').waitFor();
    assert.deepEqual(
      asked.map((each) => [each.get('response_type'), each.get('code_challenge_method'), each.get('prompt')]),
      [
        ['code', 'S256', null],
        ['code', 'S256', 'none'],
      ],
    );
    assert.equal(
      await page.evaluate("Object.keys(sessionStorage).filter((key) => key.includes('pending')).length"),
      0,
    );
    assert.deepEqual(visitor.errors(), []);
  });

  it('goes on after a new login in another window', async () => {
    const { server, visitor } = gui;
    await interruptAtForm(server, visitor, 'By a code');
    const before = visitor.token();
    await signInAgain(visitor.page);
    await visitor.page.getByTestId('secret').waitFor();
    assert.notEqual(visitor.token(), before);
    assert.equal(await countRegistered(server, visitor, 'By a code'), 1);
  });

  it('signs in in the same window where no other can open', async () => {
    const { server, visitor } = gui;
    const { page } = visitor;
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await visitor.goTo('/resource-servers/new');
    await interruptAtForm(server, visitor, 'In this window');
    await page.evaluate('window.open = () => null');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('button', { name: 'Sign in in this window' }).click();
    await page.getByText('What you had typed before is still here.').waitFor();
  });
});

describe('the check against a profile', () => {
  let gui: OpenConsole<TestServer>;
  let page: ConsolePage['page'];
  before(async () => {
    gui = await openConsole(startServer({ authenticator: 'noop-admin' }));
    ({ page } = gui.visitor);
    const registration = {
      confidential: false,
      allowedClientCredentials: false,
      allowedImplicitGrant: true,
      redirectUris: ['https://old.example/cb'],
    };
    await registerClient(gui.server, { clientName: 'Old page', ...registration });
    await gui.visitor.signIn(undefined, '/clients');
  });
  after(() => gui[Symbol.asyncDispose]());

  const check = () => page.locator('.part', { hasText: 'Check against' });
  const command = 'watchword client update old-page --allow-implicit-grant false';

  it('lists below the clients what it refuses, with the section and the command, once a profile is chosen', async () => {
    const { visitor } = gui;
    assert.equal(await check().getByRole('table').count(), 0);
    await page.getByLabel('Profile', { exact: true }).selectOption('mcp');
    await check().getByText(command).waitFor();
    await check().getByText('MCP Authorization (2026-07-28), Canonical Server URI').waitFor();
    await check().getByRole('link', { name: 'Demo Resource Server' }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-profile-check');
    await page.getByLabel('Profile', { exact: true }).selectOption('oauth-2.1');
    await check().getByText('OAuth 2.1 (draft 16) §10.1').waitFor();
    assert.equal(await check().getByRole('link', { name: 'Demo Resource Server' }).count(), 0);
    assert.deepEqual(visitor.errors(), []);
  });

  it('is on the page of a client, and finds nothing there once the command has run', async () => {
    const { server, visitor } = gui;
    await check().getByRole('link', { name: 'Old page' }).click();
    await page.getByRole('tab', { name: 'Errors' }).click();
    await page.getByLabel('Profile', { exact: true }).selectOption('mcp');
    await check().getByText(command).waitFor();
    const { code, stderr } = await watchword([...command.split(' ').slice(1), '--database', server.database]);
    assert.equal(code, 0, stderr);
    await page.reload();
    await page.getByLabel('Profile', { exact: true }).selectOption('mcp');
    await check().getByText('Nothing was found.').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });
});
