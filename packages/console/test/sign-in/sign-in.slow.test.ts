import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import type { TestBrowser } from '@watchword/testkit/browser';
import { freePort } from '@watchword/testkit/free-port';
import {
  addressOf,
  answerQuestions,
  type ConsolePage,
  consolePage,
  type OpenConsole,
  openConsole,
} from '../support/console-page.ts';
import { interruptAtForm } from '../support/interrupted.ts';

describe('the administration GUI after a login', () => {
  let gui: OpenConsole<TestServer>;
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openConsole(startServer());
    ({ browser, server, visitor } = gui);
  });
  after(() => gui[Symbol.asyncDispose]());

  let people = 0;
  const newPerson = () => {
    people += 1;
    return `person-${people}`;
  };

  it('signs in again by the login of the browser without leaving the page, and asks for nothing twice or in vain', async () => {
    const { page } = visitor;
    await visitor.signIn(newPerson(), '/nowhere');
    let asked: string[] = [];
    let documents = 0;
    page.on('request', (request) => {
      const [, route] = request.url().split('/admin/');
      if (route !== undefined) asked.push(route);
      if (request.isNavigationRequest()) documents += 1;
    });
    const read = async (open: () => Promise<unknown>, shown: string) => {
      asked = [];
      await open();
      await page.locator(shown).waitFor();
      await page.locator('main:not(:has(.loading))').waitFor();
      return asked.toSorted();
    };
    for (const route of ['/', '/resource-servers', '/clients', '/access', '/tokens', '/audit']) {
      await page.goto('about:blank');
      const here = `.place[aria-current][href="#${route}"]`;
      const first = await read(() => page.goto(`${addressOf(server)}#/nowhere`), '.signed-in');
      const later = await read(() => visitor.goTo(route), here);
      documents = 0;
      await page.goto('about:blank');
      const atOnce = await read(() => page.goto(`${addressOf(server)}#${route}`), here);
      assert.deepEqual(atOnce, [...first, ...later].toSorted(), route);
      assert.equal(documents, 1, route);
    }
    assert.deepEqual(visitor.errors(), []);
  });

  it('keeps the typed values when the login has to be in the same window', async () => {
    const { page } = visitor;
    await visitor.signIn(newPerson(), '/resource-servers/new');
    await interruptAtForm(server, visitor, 'Kept in a draft');
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
    await using visitor = await consolePage(browser, server);
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

  it('shows the reason when access was denied, and offers another attempt', async () => {
    await using visitor = await consolePage(browser, server);
    const { page } = visitor;
    await page.goto(addressOf(server));
    await page.getByLabel('User name').fill(newPerson());
    await page.getByLabel('Password').fill('x');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('access_denied').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-signed-out');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await answerQuestions(page);
  });

  it('redirects to the base URL of its server when it was opened at another address', async () => {
    const { page } = visitor;
    await page.context().clearCookies();
    await page.goto(`http://127.0.0.1:${server.port}/client/client.html`);
    await page.getByLabel('User name').waitFor();
    assert.equal(new URL(page.url()).hostname, 'localhost');
  });

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
});
