import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/account-server';
import { anApi, anApp } from '@watchword/server-testkit/administration';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const password = 'correct horse';

describe('the field that finds by name', () => {
  let browser: TestBrowser;
  let server: AccountServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAccountServer()]);
    await server.addAccount('emma');
    await server.addAccount('owner');
    const owner = await server.logIn('owner');
    const { id } = await owner.create('/admin/resourceServer', anApi);
    await owner.create(`/admin/resourceServer/${id}/client`, anApp);
    await server.grantTo('emma');
    visitor = await consolePage(browser, server);
    await visitor.signIn('root', '/tokens', password);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const find = () => visitor.page.getByRole('combobox', { name: 'Find by name' });

  it('finds clients, resource servers and people, each once', async () => {
    const { page } = visitor;
    await find().click();
    await page.getByText('Type a part of a name').waitFor();
    await find().fill('night');
    await page.getByRole('option', { name: 'Night job' }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('find');
    for (const [text, option, heading] of [
      ['NIGHT', 'Night job client night-job', 'Night job'],
      ['orders', 'Orders API resource server', 'Orders API'],
      ['emm', 'emma person, from password', 'The emma'],
    ] as const) {
      await find().fill(text);
      await page.getByRole('option', { name: option }).waitFor();
      assert.equal(await page.getByRole('option').count(), 1);
      await find().press('Enter');
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    await find().fill('no such name');
    await page.getByText('Nothing fits').waitFor();
    await find().press('Escape');
    assert.deepEqual(visitor.errors(), []);
  });

  it('shows an access token by its text, which gets into no request for a list', async () => {
    const { page } = visitor;
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const token = await server.issueToken();
    await find().fill(token);
    const dialog = page.getByRole('dialog', { name: 'Access token' });
    await dialog.getByRole('link', { name: 'demo-service' }).click();
    await page.getByRole('heading', { name: 'Demo Service', level: 1 }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    addresses.push(page.url());
    assert.ok(!addresses.some((address) => address.includes(token)));
  });

  it('finds a refused request by its id, and shows the rule, what came and the command', async () => {
    const { page } = visitor;
    const query = 'response_type=code&client_id=night-job&redirect_uri=https%3A%2F%2Fapp.example%2F%3Cb%3E';
    const refused = await server.get(`/authorize?${query}`);
    const requestId = refused.headers.get('x-request-id') ?? '';
    await find().fill(` ${requestId} `);
    await page.getByRole('option', { name: `${requestId} refused request` }).waitFor();
    await find().press('Enter');
    await page.getByRole('heading', { name: 'Refused request', level: 1 }).waitFor();
    await page.getByText('The redirect_uri of a request is one that the client has registered').waitFor();
    await page.getByText('"https://app.example/<b>"', { exact: true }).waitFor();
    await page.getByText('watchword client update night-job --redirect-uri REDIRECT_URI').waitFor();
    assert.equal(
      await page.getByRole('link', { name: 'RFC 6749 §3.1.2.3' }).getAttribute('href'),
      'https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2.3',
    );
    await visitor.assertAccessible();
    await visitor.screenshot('console-refused-request');
    await page.getByRole('link', { name: 'night-job' }).click();
    await page.getByRole('tab', { name: 'Errors' }).click();
    await page.getByRole('link', { name: 'What mends it' }).first().click();
    await page.getByText(requestId).waitFor();
    await visitor.goTo('/errors/0123456789-x');
    await page.getByRole('heading', { name: 'No refused request has the id 0123456789-x' }).waitFor();
  });

  it('finds for record owners their own records, and people in the access to their clients', async () => {
    const { page } = visitor;
    await visitor.signIn('owner', '/tokens', password);
    await find().fill('night');
    await page.getByRole('option', { name: 'Night job' }).waitFor();
    await find().fill('emma');
    await page.getByText('Nothing fits').waitFor();
    await find().fill('demo');
    await page.getByText('Nothing fits').waitFor();
  });
});
