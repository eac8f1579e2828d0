import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type AdministrationServer, startAdministration } from '@watchword/server-testkit/administration';
import { temporaryDirectory } from '@watchword/server-testkit/process';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const markup = '<img src=x onerror=hacked=1>"\'><script>hacked=1</script>{{hacked=1}}';
const scopes = ['__proto__', 'constructor', 'toString', '<img/src=x/onerror=hacked=1>', "';hacked=1//"];
const person = `${markup} #/?&%2f`;

describe('records that another owner filled with markup and with names of members of every object', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  let api: { id: number };
  let app: { id: number; clientId: string };

  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
    const mallory = await server.person(`mallory ${markup}`);
    const texts = { description: markup, contactName: markup };
    api = await mallory.create('/admin/resourceServer', {
      ...texts,
      name: markup,
      scopes: scopes.map((name) => ({ name, description: markup, descriptions: { nl: markup } })),
    });
    app = await mallory.create(`/admin/resourceServer/${api.id}/client`, {
      ...texts,
      clientName: `${markup}${'W'.repeat(100)}`,
      scopes,
      attributes: { constructor: markup, toString: markup, [markup]: markup },
      redirectUris: ["https://app.example/';hacked=1//", 'com.example.app:/$(hacked)'],
      useRefreshTokens: true,
      allowedClientCredentials: true,
    });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: "https://app.example/';hacked=1//",
    });
    const url = `${server.baseUrl}/authorize?${query}`;
    const answers = { username: person, password: JSON.stringify({ attributes: { DISPLAY_NAME: markup } }) };
    await followFlow(new UserAgent(), url, answers);
    await server.post('/oauth2/token', { grant_type: markup, client_id: app.clientId, scope: markup });
    visitor = await consolePage(browser, server);
    await visitor.signIn('root', '/', JSON.stringify({ adminPrincipal: true }));
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const assertHarmless = async (what: string) => {
    const { page } = visitor;
    assert.equal(await page.evaluate('typeof hacked'), 'undefined', what);
    assert.equal(await page.locator('[onerror], main script, [role=dialog] script').count(), 0, what);
    assert.equal(await page.evaluate('({}).polluted ?? Object.keys(Object.prototype).length'), 0, what);
    assert.deepEqual(visitor.errors(), [], what);
  };

  it('are text on every page of the administration', async () => {
    const { page } = visitor;
    const client = `/resource-servers/${api.id}/clients/${app.id}`;
    for (const route of [
      '/',
      '/resource-servers',
      `/resource-servers/${api.id}`,
      '/clients',
      client,
      '/access',
      '/tokens',
      '/audit',
      '/identity-providers',
      `/people/any-person/${encodeURIComponent(person)}`,
    ]) {
      await visitor.goTo(route);
      await page.getByText('onerror').or(page.getByText('any-person')).first().waitFor({ state: 'attached' });
      const tabs = page.getByRole('tablist').first().getByRole('tab');
      for (const tab of await tabs.all()) await tab.click();
      await assertHarmless(route);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), route);
    }
  });

  it('are text in dialogs', async () => {
    const { page } = visitor;
    await visitor.goTo('/access');
    const menu = page.getByRole('button', { name: /^Actions/ }).first();
    await menu.click();
    const names = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    assert.ok(names.length > 0);
    for (const name of names) {
      await menu.click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await assertHarmless(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('keep their names when another field is saved', async () => {
    const { page } = visitor;
    const before = (await visitor.admin().resourceServers.getDescribed(api.id)).record;
    await visitor.goTo(`/resource-servers/${api.id}?tab=settings`);
    await page.getByLabel('Contact e-mail').fill('ops@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    const after = (await visitor.admin().resourceServers.getDescribed(api.id)).record;
    assert.deepEqual(after, { ...before, contactEmail: 'ops@example.com' });
    const address = { resourceServerId: api.id, id: app.id };
    const client = (await visitor.admin().clients.get(address)).record;
    await visitor.goTo(`/resource-servers/${api.id}/clients/${app.id}?tab=settings`);
    await page.getByLabel('Contact e-mail').fill('ops@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    const changed = (await visitor.admin().clients.get(address)).record;
    assert.deepEqual(changed, { ...client, contactEmail: 'ops@example.com' });
    await assertHarmless('settings');
  });
});

describe('a text of the operator with markup and with names of members of every object', () => {
  it('is shown as text', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.file('console'));
    const tags = ['script', 'iframe', 'valueOf', '__proto__']
      .map((tag) => `<${tag}>hacked=1</${tag}>`)
      .join();
    const text = `${tags} {constructor} {__proto__} <strong>{person}</strong>`;
    const texts = JSON.stringify({ 'endAccess.one.lead': text, 'access.title': text });
    await writeFile(directory.file('console/en.json'), texts);
    await using browser = await openBrowser();
    await using server = await startAdministration({ 'pages.locales': directory.file('.') });
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    await followFlow(new UserAgent(), url, { username: 'emma', password: '{}' });
    await using visitor = await consolePage(browser, server);
    const { page } = visitor;
    await visitor.signIn('root', '/access?q=emma', JSON.stringify({ adminPrincipal: true }));
    await page.getByRole('heading', { name: '<script>hacked=1</script>', level: 1 }).waitFor();
    await page
      .getByRole('button', { name: /^Actions/ })
      .first()
      .click();
    await page.getByRole('menuitem').first().click();
    await page.getByRole('dialog').getByText('hacked=1,hacked=1').waitFor();
    assert.equal(await page.getByRole('dialog').locator('strong').innerText(), 'emma');
    assert.equal(await page.locator('main script, iframe, [role=dialog] script').count(), 0);
    assert.deepEqual(visitor.errors(), []);
  });
});
