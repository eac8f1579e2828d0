import '../support/english.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AdminError } from '@watchword/admin-client';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { mayRetry, retryDelay } from '../../src/api/query-client.ts';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

const apiError = (status: number, retryAfter?: number) =>
  new AdminError('refused', { status, code: 'x', retryAfter });

describe('a request after 429 or 503', () => {
  it('is sent again after the number of seconds from the server, and never earlier', () => {
    assert.equal(retryDelay(0, apiError(503, 7)), 7000);
    assert.equal(retryDelay(1, apiError(429, 7)), 7000);
    assert.deepEqual([retryDelay(0, apiError(0)), retryDelay(1, apiError(503))], [500, 1000]);
    assert.equal(retryDelay(1, apiError(503, 0)), 1000);
  });

  it('is not sent again after a permanent error, too often, or after a long time', () => {
    for (const status of [0, 429, 503]) assert.ok(mayRetry(0, apiError(status, 1)));
    for (const status of [400, 403, 404, 500]) assert.ok(!mayRetry(0, apiError(status)));
    assert.ok(!mayRetry(2, apiError(503)));
    assert.ok(!mayRetry(0, apiError(429, 60)));
    assert.ok(!mayRetry(0, new TypeError('x')));
  });
});

describe('the administration GUI of a server that answers 429', () => {
  let gui: OpenConsole<TestServer>;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openConsole(startServer({ authenticator: 'noop-admin' }));
    ({ visitor } = gui);
    await visitor.page.clock.install();
    await visitor.signIn(undefined, '/nowhere');
  });
  after(() => gui[Symbol.asyncDispose]());

  it('shows the time to wait, and permits no attempt before', async () => {
    const { page } = visitor;
    await page.route('**/admin/accessToken?*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '90' },
        json: { error: 'too_many_requests', error_description: 'x' },
      }),
    );
    await visitor.goTo('/tokens');
    await page.getByText('The server asks to wait for 1 minute 30 seconds.').waitFor();
    const again = page.getByRole('button', { name: 'Try again' });
    assert.ok(await again.isDisabled());
    await page.unroute('**/admin/accessToken?*');
    await page.clock.fastForward('01:31');
    await again.click();
    await page.getByRole('cell', { name: 'authorization-server-admin-js-client' }).first().waitFor();
  });

  it('disables a form for the same time', async () => {
    const { page } = visitor;
    await visitor.goTo('/resource-servers/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Patient API');
    await page.route('**/admin/resourceServer', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '30' },
        json: { error: 'temporarily_unavailable', error_description: 'x' },
      }),
    );
    const register = page.getByRole('button', { name: 'Register' });
    await register.click();
    await page.getByText('The server asks to wait for 30 seconds.').waitFor();
    assert.ok(await register.isDisabled());
    await page.unroute('**/admin/resourceServer');
    await page.clock.fastForward(31_000);
    await register.click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
  });

  it('shows that the browser cannot reach the server when it is offline', async () => {
    const { page } = visitor;
    await page.context().setOffline(true);
    await visitor.goTo('/audit');
    await page.clock.fastForward(10_000);
    await page.clock.fastForward(10_000);
    await page.getByText('The server cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Patient API').or(page.getByText('patient-api')).first().waitFor();
  });
});
