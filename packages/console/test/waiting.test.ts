import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AdminError } from '@watchword/admin-client';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { launchBrowser } from '@watchword/testkit/browser';
import type { Browser } from 'playwright-core';
import { mayRetry, retryDelay } from '../src/api/query-client.ts';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const refusal = (status: number, retryAfter?: number) =>
  new AdminError('refused', { status, code: 'x', retryAfter });

describe('a request that was refused', () => {
  it('is made again after as many seconds as the server asks for, and never sooner', () => {
    assert.equal(retryDelay(0, refusal(503, 7)), 7000);
    assert.equal(retryDelay(1, refusal(429, 7)), 7000);
    assert.deepEqual([retryDelay(0, refusal(0)), retryDelay(1, refusal(503))], [500, 1000]);
    assert.equal(retryDelay(1, refusal(503, 0)), 1000);
  });

  it('is not made again for what will not pass, too often, or after a long time', () => {
    for (const status of [0, 429, 503]) assert.equal(mayRetry(0, refusal(status, 1)), true);
    for (const status of [400, 403, 404, 500]) assert.equal(mayRetry(0, refusal(status)), false);
    assert.equal(mayRetry(2, refusal(503)), false);
    assert.equal(mayRetry(0, refusal(429, 60)), false);
    assert.equal(mayRetry(0, new TypeError('x')), false);
  });
});

describe('the administration GUI of a server that refuses', () => {
  let browser: Browser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.page.clock.install();
    await visitor.signIn(undefined, '/nowhere');
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  it('shows for how long to wait, and allows no attempt before', async () => {
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
    assert.equal(await again.isDisabled(), true);
    await page.unroute('**/admin/accessToken?*');
    await page.clock.fastForward('01:31');
    await again.click();
    await page.getByRole('cell', { name: 'authorization-server-admin-js-client' }).first().waitFor();
  });

  it('holds a form back for as long', async () => {
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
    assert.equal(await register.isDisabled(), true);
    await page.unroute('**/admin/resourceServer');
    await page.clock.fastForward(31_000);
    await register.click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
  });

  it('shows that the server cannot be reached when the browser is offline', async () => {
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
