import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { watchword } from '@watchword/server-testkit/process';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

describe('the audit log in the administration GUI', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.signIn(undefined, '/nowhere');
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  it('lists changes to local accounts and their passwords', async () => {
    const { page } = visitor;
    const database = ['--database', server.database];
    const stdin = 'correct horse battery staple';
    await watchword(['user', 'create', 'emma', '--password-stdin', ...database], { stdin });
    await watchword(['user', 'set-password', 'emma', '--password-stdin', ...database], {
      stdin: `${stdin}!`,
    });
    await visitor.goTo('/audit');
    const entries = page.locator('.audit-log-entry').filter({ hasText: 'account emma' });
    await entries.filter({ hasText: 'created' }).waitFor();
    await entries.filter({ hasText: 'new password' }).waitFor();
    await page.getByLabel('Kind of record').selectOption('Accounts');
    await page.locator('.audit-log-entry').nth(2).waitFor({ state: 'detached' });
    assert.equal(await entries.count(), 2);
    assert.deepEqual(visitor.errors(), []);
  });
});
