import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { freePort } from '@watchword/testkit/free-port';
import type { Page } from 'playwright-core';
import { addressOf, answerQuestions, type ConsolePage, consolePage } from './support/console-page.ts';

const evil = encodeURIComponent('<img src=x onerror="alert(document.domain)">');

describe('the login to the administration GUI', () => {
  let browser: TestBrowser;
  let server: TestServer;
  /** For tests that begin with a login. */
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer()]);
    visitor = await open();
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  let people = 0;
  const newPerson = () => {
    people += 1;
    return `person-${people}`;
  };
  const open = () => consolePage(browser, server);
  const registered = async (name: string) => {
    const headers = { authorization: `Bearer ${visitor.token()}` };
    return (await server.get(`/admin/resourceServer?q=${encodeURIComponent(name)}`, headers)).json.length;
  };

  for (const [what, fragment] of [
    ['nobody asked for', `access_token=x&token_type=bearer&expires_in=0&principal=${evil}`],
    ['has the state of another user', `access_token=x&token_type=bearer&expires_in=0&state=${evil}`],
    ['is an error that nobody asked for', `error=${evil}&error_description=${evil}&state=x`],
  ] as const) {
    it(`IM-4: ignores an answer that ${what}: erased, not shown, not used`, async () => {
      await using visitor = await open();
      const { page } = visitor;
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`${addressOf(server)}#${fragment}`);
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
      await visitor.assertAccessible();
      assert.equal(page.url(), addressOf(server));
      assert.equal(await page.locator('img[src=x]').count(), 0);
      assert.doesNotMatch(await page.content(), /onerror/);
      assert.deepEqual(
        requests.filter((url) => url.includes('/admin/')),
        [],
      );
      assert.deepEqual(visitor.errors(), []);
    });
  }

  it('IM-4: ignores such an answer while a user is logged in, and stays on its page', async () => {
    await using visitor = await open();
    await visitor.signIn(newPerson(), '/clients');
    const before = visitor.token();
    await visitor.goTo(`access_token=x&token_type=bearer&expires_in=0&principal=${evil}`);
    await visitor.page.waitForURL('**/client.html#/clients');
    await visitor.goTo('/tokens');
    await visitor.page.getByText('No valid token').or(visitor.page.getByRole('table')).first().waitFor();
    assert.equal(visitor.token(), before);
    assert.deepEqual(visitor.errors(), []);
  });

  it('rejects an answer with its own state from another server', async () => {
    await using visitor = await open();
    const { page } = visitor;
    await page.route('**/authorize?*', async (route) => {
      const state = new URL(route.request().url()).searchParams.get('state');
      const answer = `access_token=x&token_type=bearer&expires_in=0&state=${state}&iss=https://evil.example`;
      await route.fulfill({ status: 303, headers: { location: `${addressOf(server)}#${answer}` } });
    });
    await page.goto(addressOf(server));
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  });

  it('keeps the token in memory only', async () => {
    await using visitor = await open();
    const { page } = visitor;
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await visitor.signInByPages(newPerson());
    const token = visitor.token();
    assert.match(token, /^wwa_/);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
    );
    assert.ok(!String(kept).includes(token));
    assert.ok(!addresses.at(-1)?.includes(token), 'the address bar has lost it');
    await page.goBack().catch(() => undefined);
    assert.ok(!page.url().includes(token), 'and the history does not have it');
  });

  it('revokes the token when the window is closed', async () => {
    await using visitor = await open();
    await visitor.signIn(newPerson());
    const token = visitor.token();
    const isActive = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await server.get('/admin/resourceServer', headers)).status === 200;
    };
    assert.ok(await isActive());
    await visitor.page.close({ runBeforeUnload: true });
    while (await isActive()) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('shows the reason when access was denied, and offers another attempt', async () => {
    await using visitor = await open();
    const { page } = visitor;
    const person = newPerson();
    await page.goto(addressOf(server));
    await page.getByLabel('User name').fill(person);
    await page.getByLabel('Password').fill('x');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('access_denied').waitFor();
    await visitor.screenshot('console-signed-out');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await answerQuestions(page);
  });

  describe('when the token expires during work', () => {
    /** The user has typed a new resource server, and the server has removed the token. */
    async function interrupted(name: string): Promise<void> {
      await visitor.signIn(newPerson(), '/resource-servers/new');
      const { page } = visitor;
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await page.getByLabel('Description').fill('Typed with care.');
      await endToken(server, visitor.token());
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('dialog', { name: 'Sign in again to continue' }).waitFor();
    }

    it('continues by itself after a login in another window', async () => {
      const { page } = visitor;
      await interrupted('Kept in memory');
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: 'Sign in again' }).click(),
      ]);
      if (!popup.isClosed()) await popup.waitForEvent('close');
      const secret = await page.getByTestId('secret').textContent();
      assert.match(secret ?? '', /^\S{20,}$/);
      assert.equal(await registered('Kept in memory'), 1);
    });

    it('keeps the typed values when the login has to be in the same window', async () => {
      const { page } = visitor;
      await interrupted('Kept in a draft');
      await visitor.assertAccessible();
      await visitor.screenshot('console-sign-in-again');
      await page.evaluate('window.open = () => null');
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByText('Your browser did not open a window.').waitFor();
      await page.getByRole('button', { name: 'Sign in in this window' }).click();
      await page.getByText('What you had typed before is still here.').waitFor();
      assert.equal(await page.getByLabel('Description').inputValue(), 'Typed with care.');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByTestId('secret').waitFor();
      assert.equal(await page.evaluate("sessionStorage.getItem('watchword.drafts')"), null);
    });

    it('does nothing in the name of another user who logs in there, and shows them nothing', async () => {
      const { page } = visitor;
      await interrupted('Not for others');
      await page.context().clearCookies();
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: 'Sign in again' }).click(),
      ]);
      await answerInPopup(popup, newPerson());
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      assert.equal(await registered('Not for others'), 0);
      await visitor.goTo('/resource-servers/new');
      assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), '');
    });
  });

  it('keeps the typed values over a reload, and removes them when they are discarded', async () => {
    const { page } = visitor;
    await visitor.signIn(newPerson(), '/resource-servers/new');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Half done');
    await page.reload();
    await page.getByText('What you had typed before is still here.').waitFor();
    assert.equal(await name.inputValue(), 'Half done');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.reload();
    assert.equal(await name.inputValue(), '');
  });

  it('shows users their own records, and no owners', async () => {
    const { page } = visitor;
    await visitor.signIn(newPerson(), '/resource-servers/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('API of Emma');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await visitor.goTo('/resource-servers');
    await page.getByRole('link', { name: 'API of Emma' }).waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Owner' }).count(), 0);
    const address = (await page.getByRole('link', { name: 'API of Emma' }).getAttribute('href')) ?? '';

    await visitor.signIn(newPerson(), '/resource-servers');
    await page.getByText('No resource server yet').waitFor();
    await visitor.goTo(address.slice(1));
    await page.getByText('It is not there any more, or it is not yours to see.').waitFor();
  });

  it('offers no change to a user who granted it the scope read only, and asks again for more', async () => {
    await using visitor = await open();
    const { page } = visitor;
    await page.goto(`${addressOf(server)}#/resource-servers`);
    await page.getByLabel('User name').fill(newPerson());
    await page.getByLabel('Password').fill('x');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('checkbox', { name: /^Register, change/ }).uncheck();
    await answerQuestions(page);
    await page.getByText('read only').waitFor();
    await page.getByText('No resource server yet').waitFor();
    assert.equal(await page.getByRole('link', { name: /Register/ }).count(), 0);
    await page.getByRole('button', { name: 'Allow changes' }).click();
    await page.getByRole('checkbox', { name: /^Register, change/ }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('link', { name: 'Register a resource server' }).waitFor();
  });
});

describe('the administration GUI at other addresses', () => {
  let browser: TestBrowser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  it('works below a path prefix', async () => {
    const port = await freePort();
    await using server = await startServer({
      port: String(port),
      host: 'localhost',
      baseUrl: `http://localhost:${port}/auth`,
    });
    await using visitor = await consolePage(browser, server);
    await visitor.signInByPages('emma', '/resource-servers');
    await visitor.page.getByText('No resource server yet').waitFor();
    assert.equal(visitor.page.url(), `http://localhost:${port}/auth/client/client.html#/resource-servers`);
    await visitor.page.getByRole('link', { name: 'Overview' }).click();
    await visitor.page.getByText('First steps').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  it('does nothing in the name of a namesake from another identity provider who logs in', async () => {
    const authenticator = fileURLToPath(import.meta.resolve('@watchword/server-testkit/any-person'));
    await using server = await startServer({ authenticator });
    await using visitor = await consolePage(browser, server);
    const { page } = visitor;
    const persona = (identityProvider: string) =>
      JSON.stringify({ identityProvider, attributes: { IDENTITY_PROVIDER: identityProvider } });
    await visitor.signIn('emma', '/resource-servers/new', persona('https://a.example'));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Not for namesakes');
    await endToken(server, visitor.token());
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('dialog', { name: 'Sign in again to continue' }).waitFor();
    await page.context().clearCookies();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Sign in again' }).click(),
    ]);
    await answerInPopup(popup, 'emma', persona('https://b.example'));
    const shown = page.getByRole('heading', { name: 'Overview', level: 1 });
    await shown.or(page.getByTestId('secret')).first().waitFor();
    const headers = { authorization: `Bearer ${visitor.token()}` };
    assert.deepEqual((await server.get('/admin/resourceServer', headers)).json, []);
  });

  it('redirects to the base URL of its server when it was opened at another address', async () => {
    await using server = await startServer();
    await using visitor = await consolePage(browser, server);
    const { page } = visitor;
    await page.goto(`http://127.0.0.1:${server.port}/client/client.html`);
    await page.getByLabel('User name').waitFor();
    assert.equal(new URL(page.url()).hostname, 'localhost');
  });
});

async function answerInPopup(popup: Page, person: string, password = 'x'): Promise<void> {
  await popup.getByLabel('User name').fill(person);
  await popup.getByLabel('Password').fill(password);
  await popup.getByRole('button', { name: 'Sign in' }).click();
  await popup.getByRole('button', { name: 'Allow' }).click();
}

async function endToken(server: TestServer, token: string): Promise<void> {
  await server.post('/oauth2/revoke', { token, client_id: 'authorization-server-admin-js-client' });
}
