import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { curl } from '@watchword/server-testkit/processes/curl';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from '../support/console-page.ts';
import { assertIgnored, evil } from '../support/ignored-answer.ts';
import { findField, password, watchAddresses } from '../support/searched-server.ts';

describe('a new administrator', () => {
  let browser: TestBrowser;
  let server: AccountServer;
  let visitor: ConsolePage;
  let assertInNoAddress: ReturnType<typeof watchAddresses>;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAccountServer()]);
    visitor = await consolePage(browser, server, { reducedMotion: 'no-preference' });
    assertInNoAddress = watchAddresses(server, visitor);
    await visitor.page.clock.install();
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const secrets = { resourceServer: '', client: '' };
  let token = '';
  let granted: Awaited<ReturnType<AccountServer['grantTo']>>;

  // arrive.test.ts holds which answers are ignored.
  it('IM-4: ignores an answer that nobody asked for: erased, not shown, not used', async () => {
    await assertIgnored(server, visitor, `access_token=x&token_type=bearer&expires_in=0&principal=${evil}`);
  });

  it('is asked no consent for the pages, and sees their own name', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User name').fill('root');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByText('The root').waitFor();
  });

  it('keeps the token in memory only', async () => {
    const { page } = visitor;
    const token = visitor.token();
    assert.match(token, /^wwa_/);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
    );
    assert.ok(!String(kept).includes(token));
    const session = await page.context().newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    const addresses = [page.url(), ...entries.map(({ url }) => url)];
    assert.ok(!addresses.join().includes(token), 'the address bar and the history have lost it');
  });

  it('registers a resource server, and sees its secret once', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Resource servers' }).first().click();
    await page.getByRole('link', { name: 'Register a resource server' }).click();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Name is required.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Orders API');
    const scopes = page.getByLabel('Scopes');
    await scopes.fill('orders.read');
    await scopes.press('Enter');
    await scopes.fill('orders.write');
    await page.getByRole('button', { name: 'Register' }).click();
    const dialog = page.getByRole('dialog');
    secrets.resourceServer = (await dialog.getByTestId('secret').textContent()) ?? '';
    assert.match(secrets.resourceServer, /^\S{20,}$/);
    await page.keyboard.press('Escape');
    assert.ok(await dialog.isVisible(), 'a slip of the hand must not lose it');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Orders API', level: 1 }).waitFor();
    assert.ok(!(await page.content()).includes(secrets.resourceServer));
  });

  it('registers a client of it', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Register a client' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Night job');
    await page.getByRole('radio', { name: 'A service that acts for itself' }).check();
    await page.getByRole('checkbox', { name: 'orders.read' }).check();
    await visitor.assertAccessible();
    await page.getByLabel('Redirect URIs', { exact: true }).fill('http://app.example/cb');
    await page.getByRole('button', { name: 'Register' }).click();
    await page
      .getByText('"http://app.example/cb" uses http, which is for loopback hosts only; use https.')
      .waitFor();
    await page.getByLabel('Redirect URIs', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Register' }).click();
    const dialog = page.getByRole('dialog');
    secrets.client = (await dialog.getByTestId('secret').textContent()) ?? '';
    const snippet = await dialog.locator('.code-block code').innerText();
    assert.ok(snippet.startsWith(`SECRET=${secrets.client}\ncurl `), 'it can be pasted as it stands');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Night job', level: 1 }).waitFor();
  });

  it('gets a token with the command on the page, and the resource server accepts the token', async () => {
    const { page } = visitor;
    await page.getByRole('tab', { name: 'Use it', selected: true }).waitFor();
    const issued = await curl(filledIn(await page.locator('.code-block code').innerText(), secrets.client));
    assert.equal(issued.scope, 'orders.read');
    token = issued.access_token;
    await page.getByRole('link', { name: 'Orders API' }).click();
    await page.getByRole('tab', { name: 'Use it' }).click();
    const worth = await curl(
      filledIn(await page.locator('.code-block code').innerText(), secrets.resourceServer, token),
    );
    assert.equal(worth.audience, 'Night job');
    assert.deepEqual(worth.scopes, ['orders.read']);
  });

  it('saves nothing over what a colleague has changed while they typed', async () => {
    const { page } = visitor;
    const id = Number(/resource-servers\/(\d+)/.exec(page.url())?.[1]);
    const { resourceServers } = visitor.admin();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Description').fill('Mine.');
    await resourceServers.update(id, { contactName: 'Finn' });
    const read = page.waitForResponse((response) =>
      new URL(response.url()).pathname.endsWith(`/resourceServer/${id}`),
    );
    await page.clock.fastForward(11_000);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await read;
    await page.getByText('Another user has changed this since you began.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Another user has changed it' });
    const row = dialog.getByRole('row', { name: 'Contact name' });
    await row.waitFor();
    assert.deepEqual((await row.getByRole('cell').allInnerTexts()).slice(1), ['Finn', 'not changed']);
    assert.equal((await resourceServers.get(id)).record.description, '');
    await dialog.getByRole('button', { name: 'Continue with both' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    const { description, contactName } = (await resourceServers.get(id)).record;
    assert.deepEqual([description, contactName], ['Mine.', 'Finn']);
  });

  it('finds pages, records, people and settings by name, each once', async () => {
    const { page } = visitor;
    await server.addAccount('emma');
    granted = await server.grantTo('emma');
    const find = findField(page);
    await find.click();
    await page.getByText('Type a part of a name').waitFor();
    for (const [text, option, heading] of [
      ['signing k', 'Signing keys page', 'Signing keys'],
      ['NIGHT', 'Night job client night-job', 'Night job'],
      ['orders', 'Orders API resource server', 'Orders API'],
      ['emm', 'emma person, from password', 'The emma'],
      ['session.idle', 'session.idleLifetime setting', 'Settings'],
    ] as const) {
      await find.fill(text);
      await page.getByRole('option', { name: option }).waitFor();
      assert.deepEqual(await page.locator('.popup').getByRole('option').allInnerTexts(), [option]);
      if (text === 'NIGHT') await visitor.assertAccessible();
      await find.press('Enter');
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    await find.fill('no such name');
    await page.getByText('Nothing fits').waitFor();
    await find.press('Escape');
  });

  it('finds a token by its text, which gets into no address', async () => {
    const { page } = visitor;
    await findField(page).fill(token);
    const dialog = page.getByRole('dialog', { name: 'Access token' });
    await dialog.getByRole('link', { name: 'night-job' }).click();
    await page.getByRole('heading', { name: 'Night job', level: 1 }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await assertInNoAddress(token);
    const kept = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    assert.ok(!String(kept).includes(token));
  });

  it('sees who has access, and ends it in four clicks from the overview', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Grants' }).click();
    await page.getByRole('searchbox').fill('emma');
    const row = page.getByRole('row', { name: 'The emma' }).first();
    await row.waitFor();
    await page.getByRole('row', { name: 'root' }).waitFor({ state: 'detached' });
    for (const text of [
      ...['Demo App', 'Demo Resource Server', 'read', 'emma', 'from password'],
      ...['refresh token, 1 access token', 'consent is remembered'],
    ]) {
      await row.getByText(text).first().waitFor();
    }
    await visitor.assertAccessible();
    await row.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End this grant' }).click();
    await page.getByRole('dialog').getByText('the refresh token and 1 access token').waitFor();
    await page.getByRole('button', { name: 'End grant' }).click();
    await page.getByText('No grant fits').waitFor();
    assert.equal(await server.tokenStatus(granted.access_token), 404);
    const form = { grant_type: 'refresh_token', refresh_token: granted.refresh_token };
    assert.equal((await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret')).status, 400);
  });

  it('finds the token, revokes it, and the resource server rejects it', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Tokens' }).click();
    const row = page.getByRole('row', { name: /night-job/ });
    await row.getByText('the client itself').waitFor();
    await row.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The token is revoked').waitFor();
    await row.waitFor({ state: 'detached' });
    const { status } = await server.post(
      '/v1/tokeninfo',
      { access_token: token },
      `orders-api:${secrets.resourceServer}`,
    );
    assert.equal(status, 404);
  });

  it('finds every step in the audit log', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Audit log' }).click();
    const entries = page.locator('.audit-log-entry');
    await entries.filter({ hasText: 'token of night-job' }).first().waitFor();
    await entries.filter({ hasText: 'created' }).filter({ hasText: 'client night-job' }).click();
    await page.getByRole('row', { name: 'clientName' }).getByText('Night job').waitFor();
    const texts = await page.locator('main').innerText();
    for (const secret of [secrets.client, secrets.resourceServer, token]) assert.ok(!texts.includes(secret));
  });

  it('deletes the resource server after typing its key, and sees what is deleted with it', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Resource servers' }).first().click();
    await page.getByRole('link', { name: 'Orders API' }).click();
    await page.getByRole('tab', { name: 'Secret and removal' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 client: Night job').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    assert.ok(await confirm.isDisabled());
    await dialog.getByRole('textbox').fill('orders-api');
    await confirm.click();
    await page.getByText('Orders API is deleted').waitFor();
    await page.getByRole('heading', { name: 'Resource servers', level: 1 }).waitFor();
    const { status } = await server.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      `night-job:${secrets.client}`,
    );
    assert.equal(status, 401);
  });

  it('has seen no error on the way', () => {
    assert.deepEqual(visitor.errors(), []);
  });

  it('ends the token of the pages by closing the window', async () => {
    const headers = { authorization: `Bearer ${visitor.token()}` };
    const isActive = async () => (await server.get('/admin/resourceServer', headers)).status === 200;
    assert.ok(await isActive());
    await visitor.page.close({ runBeforeUnload: true });
    while (await isActive()) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});

/** A command of the pages, with the secret and the token in place of its variables. */
function filledIn(command: string, secret: string, token = ''): string {
  return command.replace('"$SECRET"', secret).replace('"$TOKEN"', token);
}
