import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import type { ConsolePage } from '../support/console-page.ts';
import { inputMethod } from '../support/input-method.ts';
import { password, type SearchedServer, startSearchedServer } from '../support/searched-server.ts';

let searched: SearchedServer;
let server: SearchedServer['server'];
let visitor: ConsolePage;
before(async () => {
  searched = await startSearchedServer();
  ({ server, visitor } = searched);
});
after(() => searched[Symbol.asyncDispose]());

describe('the field that finds by name, beyond names', () => {
  it('is opened by / where nothing is typed, offers what was opened last, and is left by Escape', async () => {
    const { page } = visitor;
    for (const [text, heading] of [
      ['orders', 'Orders API'],
      ['emm', 'The emma'],
      ['session.idle', 'Settings'],
    ] as const) {
      await searched.find().fill(text);
      await page.getByRole('option').waitFor();
      await searched.find().press('Enter');
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    await visitor.goTo('/tokens');
    await page.getByRole('searchbox').press('/');
    assert.equal(await page.getByRole('searchbox').inputValue(), '/');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await page.getByText('Opened last').waitFor();
    assert.ok(await searched.find().evaluate((field) => field.ownerDocument.activeElement === field));
    const options = page.locator('.popup').getByRole('option');
    assert.deepEqual((await options.allInnerTexts()).slice(0, 2), [
      'session.idleLifetime setting',
      'emma person, from password',
    ]);
    await visitor.assertAccessible();
    await visitor.screenshot('find-recent');
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'Orders API', level: 1 }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await page.getByText('Opened last').waitFor();
    assert.match((await options.allInnerTexts())[0] ?? '', /^Orders API/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    assert.ok(await searched.find().evaluate((field) => field.ownerDocument.activeElement !== field));
  });

  it('finds the same with white space at an end, as every search does', async () => {
    const { page } = visitor;
    await searched.find().fill(' emma ');
    await page.getByRole('option', { name: 'emma person, from password' }).waitFor();
    await searched.find().press('Escape');
    for (const [route, row] of [
      ['/accounts', 'emma'],
      ['/audit', 'emma'],
      ['/access', 'emma'],
      ['/tokens', 'emma'],
      ['/clients', 'Night job'],
      ['/resource-servers', 'Orders API'],
    ] as const) {
      await visitor.goTo(route);
      const box = page.getByRole('searchbox').first();
      await box.fill(`${row} `);
      await box.press('Enter');
      // The address has what the list shows.
      await page.waitForURL(({ hash }) => hash.includes(`${new URLSearchParams({ q: row })}`));
      await page.getByRole('main').getByText(row).first().waitFor();
      assert.doesNotMatch(page.url(), /(?:%20|\+)$/, route);
      assert.equal(await box.inputValue(), `${row} `, route);
    }
    assert.deepEqual(visitor.errors(), []);
  });

  it('finds a refused request by its id, and shows the rule, what came and the command', async () => {
    const { page } = visitor;
    const query = 'response_type=code&client_id=night-job&redirect_uri=https%3A%2F%2Fapp.example%2F%3Cb%3E';
    const refused = await server.get(`/authorize?${query}`);
    const requestId = refused.headers.get('x-request-id') ?? '';
    await searched.find().fill(` ${requestId} `);
    await page.getByRole('option', { name: `${requestId} refused request` }).waitFor();
    await searched.find().press('Enter');
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
    await page.getByRole('main').getByText(requestId).waitFor();
    await visitor.goTo('/errors/0123456789-x');
    await page.getByRole('heading', { name: 'No refused request has the id 0123456789-x' }).waitFor();
  });
});

describe('a token that is pasted into the search of each page', () => {
  for (const route of ['/clients', '/resource-servers', '/access', '/audit']) {
    it(`is found by its text, and is in no address: ${route}`, () => searched.assertFoundByText(route));
  }

  it('can be revoked where it is shown', async () => {
    const { page } = visitor;
    const token = await server.issueToken();
    await visitor.goTo('/tokens');
    await page.getByRole('searchbox').fill(token);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke this token?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByText('The token is revoked').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const info = await server.post(
      '/v1/tokeninfo',
      { access_token: token },
      'demo-resource-server:demo-resource-server-secret',
    );
    assert.equal(info.status, 404);
    await page.getByRole('searchbox').fill(token);
    await page.getByText('No token that you can see has this text').waitFor();
    await page.keyboard.press('Escape');
    await searched.assertInNoAddress(token);
  });

  it('is explained when it is a JWT, and can be revoked there', async () => {
    const { page } = visitor;
    const { resourceServer, credentials: api } = await registerResourceServer(server, 'Orders API', {
      accessTokenFormat: 'jwt',
    });
    const { credentials } = await registerClient(server, { expireDuration: 600 }, resourceServer.key);
    const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const token: string = issued.json.access_token;
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    await visitor.goTo('/tokens');
    await page.getByRole('searchbox').fill(`Authorization: Bearer ${token}`);
    const dialog = page.getByRole('dialog', { name: 'Access token' });
    await dialog.getByText('It is a JWT').waitFor();
    await dialog.getByText(jti, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke this token?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByText('The token is revoked').last().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await server.post('/v1/tokeninfo', { access_token: token }, api)).status, 404);
    await searched.assertInNoAddress(token);
  });
});

describe('the field that finds by name, for record owners', () => {
  it('finds their own records, and people in the access to their clients', async () => {
    const { page } = visitor;
    await visitor.signIn('owner', '/tokens', password);
    await searched.find().fill('night');
    await page.getByRole('option', { name: 'Night job' }).waitFor();
    await searched.find().fill('emma');
    await page.getByText('Nothing fits').waitFor();
    await searched.find().fill('demo');
    await page.getByText('Nothing fits').waitFor();
  });
});

describe('keys that confirm or choose a conversion of an input method', () => {
  it('open nothing that "Find" found, and leave its list as it is', async () => {
    const { page } = visitor;
    await visitor.goTo('/tokens');
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
    await using method = await inputMethod(page);
    await searched.find().fill('');
    await method.compose('o');
    const options = page.getByRole('option');
    await page.getByRole('option', { name: 'Orders API' }).waitFor();
    const active = () =>
      options.evaluateAll((all) => all.findIndex(({ dataset }) => dataset.active === 'true'));
    for (const key of ['ArrowDown', 'Escape', 'Enter']) {
      await method.press(key);
      assert.equal(await active(), 0, key);
    }
    await method.confirmWith('Enter', 'o');
    assert.equal(await active(), 0);
    assert.match(page.url(), /#\/tokens/);
    await searched.find().press('ArrowDown');
    assert.equal(await active(), 1);
    await searched.find().press('Escape');
    assert.equal(await options.count(), 0);
    await searched.find().fill('');
  });

  it('choose no client, and search for nothing', async () => {
    const { page } = visitor;
    await using method = await inputMethod(page);
    await visitor.goTo('/tokens');
    await page.getByRole('button', { name: 'Issue a token' }).click();
    const client = page.getByRole('combobox', { name: 'Client' });
    await client.fill('');
    await method.compose('night');
    await page.getByRole('option', { name: 'Night job' }).waitFor();
    await method.press('Enter');
    await method.confirmWith('Enter', 'night');
    assert.equal(await client.inputValue(), 'night');
    await client.press('Enter');
    assert.equal(await client.inputValue(), 'Night job');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('make no scope', async () => {
    const { page } = visitor;
    await using method = await inputMethod(page);
    await visitor.goTo('/resource-servers/new');
    const scopes = page.getByRole('textbox', { name: 'Scopes' });
    await scopes.focus();
    await method.compose('chumon');
    for (const key of [' ', 'Enter']) await method.press(key);
    assert.equal(await page.getByRole('button', { name: 'Remove chumon' }).count(), 0);
    await method.confirmWith('Enter', '注文');
    assert.equal(await scopes.inputValue(), '注文');
    await scopes.press('Enter');
    assert.equal(await scopes.inputValue(), '');
    await page.getByRole('button', { name: 'Remove 注文' }).click();
  });
});
