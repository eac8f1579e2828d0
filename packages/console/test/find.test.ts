import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/account-server';
import { anApi, anApp } from '@watchword/server-testkit/administration';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const password = 'correct horse';

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
  await visitor.page.clock.install();
  await visitor.signIn('root', '/tokens', password);
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

const find = () => visitor.page.getByRole('combobox', { name: 'Find by name' });

describe('the field that finds by name', () => {
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
});

describe('a token that is pasted into a search', () => {
  const addresses: string[] = [];
  before(() => {
    visitor.page.on('request', (request) => addresses.push(request.url()));
    visitor.page.on('framenavigated', (frame) => addresses.push(frame.url()));
  });

  const assertInNoAddress = async (secret: string) => {
    addresses.push(visitor.page.url());
    assert.deepEqual(
      addresses.filter((address) => address.includes(secret)),
      [],
    );
    assert.equal(server.log().includes(secret), false);
    // The browser reports the answer 404 for a token that was revoked.
    assert.deepEqual(
      visitor.errors().filter((error) => !error.includes('404')),
      [],
    );
  };

  for (const route of ['/tokens', '/clients', '/resource-servers', '/access', '/audit']) {
    it(`is found by its text, and is in no address: ${route}`, async () => {
      const { page } = visitor;
      const token = await server.issueToken();
      await visitor.goTo(route);
      await page.getByRole('searchbox').fill(`Authorization: Bearer ${token}`);
      const dialog = page.getByRole('dialog', { name: 'Access token' });
      await dialog.getByText('demo-service').waitFor();
      assert.equal(await page.getByRole('searchbox', { includeHidden: true }).inputValue(), '');
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await assertInNoAddress(token);
    });
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
    await assertInNoAddress(token);
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
    await assertInNoAddress(token);
  });

  it('is not searched when it is another credential, or incomplete', async () => {
    const { page } = visitor;
    for (const [text, title] of [
      [`wwr_${'x'.repeat(70)}`, 'a refresh token'],
      ['wws_abcdef', 'a secret'],
      [`https://id.example/account/set-password?link=wwp_${'x'.repeat(70)}`, 'a reset link'],
      ['wwa_short', 'an access token'],
    ] as const) {
      await page.getByRole('searchbox').fill(text);
      await page.getByRole('searchbox').press('Enter');
      const dialog = page.getByRole('dialog', { name: `This looks like ${title}` });
      await dialog.waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await assertInNoAddress(text);
    }
  });

  it('is not sent as a search for a record to choose', async () => {
    const { page } = visitor;
    const token = await server.issueToken();
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByRole('combobox', { name: 'Client' }).fill(token);
    await page.getByRole('option').first().waitFor();
    await assertInNoAddress(token);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });
});

describe('the field that finds by name, for record owners', () => {
  it('finds their own records, and people in the access to their clients', async () => {
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
