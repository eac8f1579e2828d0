import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { addressOf, type OpenConsole, openConsole } from './support/console-page.ts';
import { countRegistered, interruptAtForm, signInAgain } from './support/interrupted.ts';

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
