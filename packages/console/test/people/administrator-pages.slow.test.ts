import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { metadata } from '@watchword/server-testkit/processes/command-runs';
import { watchword } from '@watchword/server-testkit/processes/process';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { followFlow } from '@watchword/testkit/follow-flow';
import { startSite, type TestSite } from '@watchword/testkit/site';
import { UserAgent, withdrawalPage } from '@watchword/testkit/user-agent';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

let gui: OpenConsole<AdministrationServer>;
let server: AdministrationServer;
let visitor: ConsolePage;
/** Has the discovery document of an OpenID Connect provider. */
let provider: TestSite;
before(async () => {
  provider = await startSite((_request, response) =>
    response.end(
      JSON.stringify({
        issuer: provider.url,
        authorization_endpoint: `${provider.url}/authorize`,
        token_endpoint: `${provider.url}/token`,
        jwks_uri: `${provider.url}/jwks`,
      }),
    ),
  );
  const { host } = new URL(provider.url);
  gui = await openConsole(startAdministration({ 'outbound.privateHosts': host }));
  ({ server, visitor } = gui);
  await visitor.signIn('root', '/nowhere', JSON.stringify({ adminPrincipal: true }));
});
after(async () => {
  await gui[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

describe('the audit log in the GUI', () => {
  before(async () => {
    const emma = new UserAgent();
    const request = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app&scope=read`;
    await followFlow(emma, request, { username: 'emma', password: '{}' });
    await emma.submit(await withdrawalPage(emma, server.baseUrl), {});
  });

  it('shows changes, and on request logins and grants, with their source', async () => {
    const { page } = visitor;
    await visitor.goTo('/audit');
    await page.getByText('the server itself').first().waitFor();
    assert.equal(await page.locator('.audit-log').getByText('logged in').count(), 0);

    await page.getByLabel('Kind of record').selectOption('Logins and grants');
    const login = page.getByRole('listitem').filter({ hasText: 'login of emma' });
    await login.getByText('logged in').click();
    await login.getByText('127.0.0.1').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'grant to' }).first().getByText('granted').waitFor();
    const withdrawal = page.getByRole('listitem').filter({ hasText: 'withdrawn' });
    await withdrawal.getByText('withdrawn').click();
    await withdrawal.getByText('127.0.0.1').waitFor();
    assert.equal(await page.locator('.audit-log').getByText('the server itself').count(), 0);

    await page.getByLabel('Kind of record').selectOption('Everything');
    await page.getByText('the server itself').first().waitFor();
    await page.locator('.audit-log').getByText('logged in').first().waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  it('is filtered by day, action and actor, which stand in the address, and shows exact times', async () => {
    const { page } = visitor;
    const entries = page.locator('.audit-log-entry');
    await visitor.goTo('/audit');
    await page.getByLabel('Action').selectOption('created');
    await page.getByLabel('By whom').fill('SERVER ITSELF');
    await page.getByText('Nothing fits').waitFor();
    await page.getByLabel('By whom').fill('watch');
    await entries.filter({ hasText: 'demo-service' }).waitFor();
    // The demo records are from the first day of a year.
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await entries.filter({ hasText: 'authorization-server-admin-js-client' }).waitFor({ state: 'detached' });
    await page.reload();
    const made = entries.filter({ hasText: 'demo-service' });
    await made.click();
    const [event] = await server.service.store.auditEvents
      .list({ kind: 'changes', limit: 1000 })
      .then((all) => all.filter(({ recordName }) => recordName === 'demo-service'));
    await made.getByText(new Date(event?.time ?? 0).toISOString()).waitFor();
    await page.getByLabel('To', { exact: true }).fill('2025-12-31');
    await page.getByText('Nothing fits').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  it('is saved as CSV and JSON with the filters', async () => {
    const { page } = visitor;
    await visitor.goTo('/audit?action=create&actor=watchword');
    for (const format of ['CSV', 'JSON']) {
      await page.getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('50,000 at most').waitFor();
      await dialog.getByRole('radio', { name: format }).check();
      const saved = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Export' }).click();
      const download = await saved;
      assert.match(
        download.suggestedFilename(),
        new RegExp(`^audit-\\d{4}-\\d\\d-\\d\\d\\.${format.toLowerCase()}$`),
      );
      const text = await readFile(await download.path(), 'utf8');
      if (format === 'CSV')
        assert.match(text, /^"time","action"[^\n]*\r\n"20[\d-]{8}T[\d:.]{12}Z","create",/);
      else assert.ok(JSON.parse(text).every(({ actor }: { actor: string }) => actor === 'watchword'));
      assert.ok(text.includes('demo-service') && !text.includes('"update"'));
      await page
        .getByText(/\d+ events exported/)
        .first()
        .waitFor();
    }
    assert.deepEqual(visitor.errors(), []);
  });

  it('lists changes to local accounts and their passwords', async () => {
    const { page } = visitor;
    const database = ['--database', server.database];
    const stdin = 'correct horse battery staple';
    await watchword(['user', 'create', 'emma', '--password-stdin', ...database], { stdin });
    await watchword(['user', 'set-password', 'emma', '--password-stdin', ...database], {
      stdin: `${stdin}!`,
    });
    await visitor.goTo('/audit?type=everything');
    await page.getByLabel('Kind of record').selectOption('Changes');
    const entries = page.locator('.audit-log-entry').filter({ hasText: 'account emma' });
    await entries.filter({ hasText: 'created' }).waitFor();
    await entries.filter({ hasText: 'new password' }).waitFor();
    await page.getByLabel('Kind of record').selectOption('Accounts');
    await page.locator('.audit-log-entry').nth(2).waitFor({ state: 'detached' });
    assert.equal(await entries.count(), 2);
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('the page of identity providers', () => {
  const idp = 'https://idp.example';
  before(() => visitor.goTo('/identity-providers'));

  it('shows the number of records, and ends them', async () => {
    const { page } = visitor;
    const emma = await server.person('emma', { identityProvider: idp });
    await server.person('paul', { identityProvider: idp });
    await page.reload();
    const row = page.getByRole('row', { name: idp });
    await row.waitFor();
    assert.deepEqual((await row.getByRole('cell').allInnerTexts()).slice(1, 5), [
      'configured',
      '2',
      '2',
      '2',
    ]);
    await row.getByRole('button', { name: 'Revoke all' }).click();
    const dialog = page.getByRole('dialog');
    for (const text of ['2 logins', '2 grants', '2 remembered consents'])
      await dialog.getByText(text).waitFor();
    await dialog.getByRole('textbox').fill(idp);
    await dialog.getByRole('button', { name: 'Revoke everything' }).click();
    await page.getByText('2 logins, 2 grants and 2 consents revoked').waitFor();
    await row.waitFor({ state: 'detached' });
    assert.equal((await emma.get('/admin/resourceServer')).status, 401);
    assert.deepEqual(visitor.errors(), []);
  });

  it('sets one up from a file, names what is wrong at its field, and shows users the way only when it is enabled', async () => {
    const { page } = visitor;
    await visitor.goTo('/identity-providers');
    await page.getByRole('link', { name: 'Set up an identity provider' }).click();
    await page.getByRole('textbox', { name: 'Display name' }).first().fill('<b>Uni</b> West');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('uni-west');
    await page.getByRole('radio', { name: 'File or text' }).check();
    const file = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'idp.xml', mimeType: 'text/xml', buffer: Buffer.from(text) });
    await file('<no');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.field-error').filter({ hasText: 'Metadata' }).waitFor();
    await file(metadata);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '<b>Uni</b> West' }).first().waitFor();
    await page.getByText(`${server.service.baseUrl}/login/uni-west/saml/acs`).waitFor();
    const choices = async () =>
      (await new UserAgent().get(`${server.baseUrl}/authorize?response_type=code&client_id=demo-app`)).text;
    assert.doesNotMatch(await choices(), /West/);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    assert.match(await choices(), /West/);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('uni-west');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Identity providers' }).waitFor();
    assert.equal(await page.getByText('West').count(), 0);
    assert.deepEqual(
      visitor.errors().filter((error) => !/status of 400/.test(error)),
      [],
    );
    await visitor.goTo('/identity-providers');
  });

  it('sets up an OpenID Connect provider by its issuer, and never shows its secret again', async () => {
    const { page } = visitor;
    await visitor.goTo('/identity-providers/new');
    await page.getByRole('radio', { name: 'OpenID Connect' }).check();
    await page.getByRole('textbox', { name: 'Display name' }).first().fill('Corp');
    const preset = page.getByLabel('Provider', { exact: true });
    await preset.selectOption('Microsoft');
    await page.getByLabel('Tenant', { exact: true }).fill('contoso');
    await preset.selectOption('Apple');
    await page.getByLabel('Private key').waitFor();
    assert.equal(await page.getByLabel('Client secret').count(), 0);
    await visitor.assertAccessible();
    await preset.selectOption('GitLab');
    assert.equal(await page.getByLabel('Tenant', { exact: true }).count(), 0);
    await page.getByLabel('Link by verified address').fill('example.org');
    await page.getByLabel('Issuer').fill(`${provider.url}/`);
    await page.getByLabel('Client ID').fill('watchword');
    await page.getByLabel('Client secret').fill('the secret');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.field-error').filter({ hasText: 'Issuer' }).waitFor();
    await page.getByLabel('Issuer').fill(provider.url);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Corp' }).first().waitFor();
    await page.getByText(`${server.service.baseUrl}/login/corp/callback`).waitFor();
    assert.equal(await page.getByLabel('Client secret').inputValue(), '');
    assert.equal(await preset.inputValue(), 'gitlab');
    assert.equal(await page.getByLabel('Link by verified address').inputValue(), 'example.org');
    assert.equal(await page.getByLabel('Issuer').inputValue(), provider.url);
    assert.deepEqual(
      visitor.errors().filter((error) => !/status of 400/.test(error)),
      [],
    );
    await visitor.goTo('/identity-providers');
  });

  it('filters by whether the server is configured with the identity provider', async () => {
    const { page } = visitor;
    await page.getByLabel('Which ones').selectOption('No longer configured');
    await page.getByText('No identity provider fits').waitFor();
    await page.getByLabel('Which ones').selectOption('Configured');
    await page.getByRole('row', { name: 'any-person' }).last().waitFor();
  });

  it('is offered to administrators only', async () => {
    const menu = visitor.page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Identity providers' }).waitFor();
    await visitor.signIn('emma', '/clients', '{}');
    await menu.getByRole('link', { name: 'Audit log' }).waitFor();
    assert.equal(await menu.getByRole('link', { name: 'Identity providers' }).count(), 0);
  });
});

describe('the page of signing keys', () => {
  /** The cells of a key: state, when it signs, and where its private half is. */
  const row = (kid: string) => visitor.page.getByRole('row', { name: kid });
  const kids = async () => (await server.service.store.signingKeys.list()).map(({ kid }) => kid);
  const choose = async (kid: string, action: string) => {
    await visitor.page.getByRole('button', { name: `Actions for the key ${kid}` }).click();
    await visitor.page.getByRole('menuitem', { name: action }).click();
  };
  /** Errors of the tests before, which provoke some. */
  let earlier = 0;
  const errors = () => visitor.errors().slice(earlier);
  before(async () => {
    earlier = visitor.errors().length;
    await server.get('/oauth2/jwks');
    await visitor.signIn('root', '/signing-keys', JSON.stringify({ adminPrincipal: true }));
  });

  it('rotates, after it said when the next key signs and until when the last one is published', async () => {
    const { page } = visitor;
    const [old = ''] = await kids();
    await row(old).getByText('New tokens are signed with it').waitFor();
    await page.getByRole('button', { name: 'Rotate keys' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('every cache knows it by then').waitFor();
    await dialog.getByText('No token stops verifying').waitFor();
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('The next key is published', { exact: true }).waitFor();
    const [next = ''] = await kids();
    await row(next).getByText('in 9 minutes').waitFor();
    await row(old).getByText('tomorrow').waitFor();
    assert.deepEqual(errors(), []);
  });

  it('ends a compromised key once its id is typed, and says which tokens stop verifying', async () => {
    const { page } = visitor;
    const [next = '', old = ''] = await kids();
    await choose(old, 'Another party has it');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Each JWT access token and ID token that it signed since').waitFor();
    await dialog.getByText('This cannot be undone').waitFor();
    const end = dialog.getByRole('button', { name: 'Refuse its tokens' });
    assert.ok(await end.isDisabled());
    await dialog.getByRole('textbox').fill(old);
    await end.click();
    await row(old).getByText('Its tokens are refused').waitFor();
    await row(next).getByText('New tokens are signed with it').waitFor();
    assert.deepEqual(JSON.parse((await server.get('/oauth2/jwks')).text).keys.length, 1);
    assert.deepEqual(errors(), []);
  });

  it('shows public halves, imports keys, and replaces the keys that seal forms', async () => {
    const { page } = visitor;
    const [kid = ''] = await kids();
    await choose(kid, 'Show the public half');
    await page.getByRole('dialog').getByText('BEGIN PUBLIC KEY').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Import a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Private key' }).fill('no key');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('expected a private key in PEM').waitFor();
    const { privateKey } = generateKeyPairSync('ed25519');
    await dialog
      .getByRole('textbox', { name: 'Private key' })
      .fill(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    await dialog.getByLabel('kid').fill('mine');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await row('mine').getByText('EdDSA').waitFor();
    await page.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('The keys that seal forms are replaced').waitFor();
    assert.deepEqual(
      errors().filter((error) => !/status of 400/.test(error)),
      [],
    );
  });
});

describe('the page of branding', () => {
  it('shows every page with what is typed, names colours that cannot be read, and brands the pages when it is saved', async () => {
    const { page } = visitor;
    await visitor.goTo('/branding');
    const preview = page.frameLocator('iframe');
    await preview.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Acme ID');
    await preview.getByRole('banner').getByText('Acme ID').waitFor();
    await page.getByLabel('Page and state').selectOption({ label: 'You are signed out' });
    await preview.getByRole('heading', { name: 'You are signed out' }).waitFor();

    const button = page.getByLabel('Main button and links').first();
    await button.fill('#ffff00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/accent on surface has a contrast of 1\.07:1/).waitFor();
    await button.fill('#5b3fa8');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The branding is saved.').waitFor();
    const { text } = await server.get('/', { accept: 'text/html' });
    assert.match(text, /Acme ID/);
    assert.match(text, /\/assets\/brand\./);
  });
});

describe('the page of settings', () => {
  it('shows values with their sources, and finds settings by name, text, value and source', async () => {
    const { page } = visitor;
    await visitor.goTo('/settings');
    const host = page.getByRole('row', { name: 'host' }).first();
    await host.getByText('127.0.0.1').waitFor();
    await host.getByText('--host').waitFor();
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('other machines can reach');
    await page.getByText('1 setting').waitFor();
    await page.getByRole('link', { name: 'allowInsecureAuthentication' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('');
    await page.getByLabel('Which ones').selectOption('Environment');
    await page.getByText('No setting fits').waitFor();
  });

  it('is, as that of signing keys, for administrators only', async () => {
    await visitor.signIn('emma', '/clients', '{}');
    const menu = visitor.page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Audit log' }).waitFor();
    for (const name of ['Settings', 'Signing keys'])
      assert.equal(await menu.getByRole('link', { name }).count(), 0);
    for (const place of ['/settings', '/signing-keys']) {
      await visitor.goTo(place);
      await visitor.page.getByRole('alert').getByText('Only an administrator').waitFor();
    }
  });
});
