import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { type LogoutReceiver, startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { until } from '@watchword/server-testkit/processes/process';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type LoginTest, startLoginTest } from '../support/login-test.ts';

let test: LoginTest;
let receiver: LogoutReceiver;
before(async () => {
  receiver = await startLogoutReceiver((response, count) => {
    response.statusCode = count === 1 ? 400 : 200;
    response.end();
  });
  test = await startLoginTest({ 'outbound.privateHosts': receiver.host });
});
after(async () => {
  await Promise.all([test, receiver].map((each) => each[Symbol.asyncDispose]()));
});

describe('the login test of a client', () => {
  it('shows request, answer, ID token and claims of a real login, and leaves no token behind', async () => {
    const { page } = test.visitor;
    const { id, secret, stored } = await test.openClient('Portal', { useRefreshTokens: true });
    assert.equal(await page.getByRole('button', { name: 'Log in', exact: true }).count(), 0);
    await test.addAddress();
    await page.getByLabel('Secret of the client').fill(secret);
    await page.getByRole('checkbox', { name: 'email' }).uncheck();
    await test.logIn();
    await test.section('7. Userinfo').waitFor();
    assert.equal(await page.getByLabel('Secret of the client').inputValue(), '');
    assert.match((await test.section('1. The request').textContent()) ?? '', /scopeopenid profile/);
    assert.match((await test.section('2. The answer').textContent()) ?? '', /codereceived, and not shown/);
    assert.match(
      (await test.section('3. The tokens').textContent()) ?? '',
      /refresh_tokenreceived, and not shown/,
    );
    assert.match((await test.section('4. The header').textContent()) ?? '', /RS256/);
    assert.match((await test.section('5. The ID token').textContent()) ?? '', /audportal/);
    assert.equal(await test.section('6. The checks').locator('[data-holds=true]').count(), 4);
    assert.match((await test.section('7. Userinfo').textContent()) ?? '', /preferred_username/);
    await test.visitor.assertAccessible();
    await test.visitor.screenshot('console-login-test');
    const { items } = await test.visitor.admin().accessTokens.list({ clientId: (await stored()).clientId });
    assert.deepEqual(items, [], String(id));
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    assert.ok(!kept.includes(secret));
  });

  it('adds its address to the redirect URIs, and removes it', async () => {
    const { page } = test.visitor;
    const { stored } = await test.openClient('Guest');
    await test.addAddress();
    await page.getByRole('button', { name: 'Remove the address' }).waitFor();
    assert.deepEqual((await stored()).redirectUris, ['https://portal.example/cb', test.redirectUri]);
    await page.getByRole('button', { name: 'Remove the address' }).click();
    await page.getByRole('button', { name: 'Add the address' }).waitFor();
    assert.deepEqual((await stored()).redirectUris, ['https://portal.example/cb']);
  });

  it('gives the answer of another request to no window, and keeps it nowhere', async () => {
    const page = await test.visitor.page.context().newPage();
    await page.goto(`${test.redirectUri}?code=stolen&state=made-up`);
    await page.getByText('You can close this window').waitFor();
    assert.equal(page.url(), test.redirectUri);
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
    await page.close();
  });
});

describe('the page of a client that has rejected a logout token', () => {
  it('shows why, and has the token delivered again by a button', async () => {
    const { server, visitor } = test;
    const app = await registerApplication(server, { skipConsent: true, backchannelLogoutUri: receiver.url });
    const agent = new UserAgent();
    const { parameters } = await app.authorize({ scope: 'openid', nonce: 'n' }, {}, agent);
    const { id_token } = (await app.redeem(parameters.get('code') ?? '')).json;
    await agent.get(`${server.baseUrl}/oauth2/logout?${new URLSearchParams({ id_token_hint: id_token })}`);
    await receiver.next();

    await until(async () => (await visitor.admin().logoutDeliveries.list({ failed: true })).items.length > 0);
    const { page } = visitor;
    await visitor.goTo(`/clients/${app.client.clientId}`);
    await page.getByRole('tab', { name: 'Errors' }).click();
    const table = page.getByRole('table', { name: 'Logout tokens that it has not accepted' });
    await table.getByText('rejects the logout token').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-client-logout-deliveries');
    await table.getByRole('button', { name: 'Deliver again' }).click();
    await receiver.next();
    await page.getByText('The server delivers the logout token again.').waitFor();
    await table.waitFor({ state: 'detached' });
    assert.deepEqual(visitor.errors(), []);
  });
});
