import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LoginTest, startLoginTest } from '../support/login-test.ts';

describe('the login test of any client', () => {
  let test: LoginTest;
  before(async () => {
    test = await startLoginTest();
  });
  after(() => test[Symbol.asyncDispose]());

  it('is accessible on a phone with the messages of a login', async () => {
    const { page } = test.visitor;
    const { secret } = await test.openClient('Phone');
    await test.addAddress();
    await page.getByLabel('Secret of the client').fill(secret);
    await test.logIn();
    await test.section('7. Userinfo').waitFor();
    const { width, height } = page.viewportSize() ?? assert.fail('the window has no size');
    await page.setViewportSize({ width: 390, height });
    await test.visitor.assertAccessible();
    await test.visitor.screenshot('console-login-test-phone');
    await page.setViewportSize({ width, height });
  });

  it('tests a public client without a secret, and shows the error of a user who refuses', async () => {
    const { page } = test.visitor;
    await test.openClient('Browser app', { confidential: false, skipConsent: false });
    await test.addAddress();
    assert.equal(await page.getByLabel('Secret of the client').count(), 0);
    const refused = await test.logIn();
    await refused.locator('[name="decision"][value="deny"]').click();
    await page.getByText('The server sends the browser back with an error.').waitFor();
    assert.match((await test.section('2. The answer').textContent()) ?? '', /access_denied/);
    const allowed = await test.logIn();
    await allowed.locator('[name="decision"][value="allow"]').click();
    await test.section('7. Userinfo').waitFor();
  });

  it('shows why the token endpoint refuses the code', async () => {
    const { page } = test.visitor;
    await test.openClient('Wrong');
    await test.addAddress();
    await page.getByLabel('Secret of the client').fill('wrong');
    await test.logIn();
    await page.getByText('The token endpoint has refused the code.').waitFor();
    assert.match((await test.section('3. The tokens').textContent()) ?? '', /invalid_client/);
  });

  it('does not change the sector of a client with pairwise subjects', async () => {
    await test.openClient('Pairwise', { subjectType: 'pairwise' });
    await test.visitor.page.getByText('A client with pairwise subjects cannot be tested here').waitFor();
    assert.equal(await test.visitor.page.getByRole('button', { name: 'Add the address' }).count(), 0);
  });

  it('is left to the application where the client must sign, push, or prove its key', async () => {
    const fields = ['requirePushedAuthorizationRequests', 'dpopBoundAccessTokens'];
    for (const field of fields) {
      await test.openClient(field, { [field]: true });
      await test.visitor.page.getByText('test the login in the application').waitFor();
      const { page } = test.visitor;
      const offered = page.getByRole('button', { name: /^(Add the address|Log in)$/ });
      assert.equal(await offered.count(), 0, field);
    }
  });
});
