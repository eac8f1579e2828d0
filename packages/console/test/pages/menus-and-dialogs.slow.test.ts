import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from '../support/console-page.ts';
import { furnish } from '../support/furnish.ts';
import { assertScrolledTo, scrollTo, scrollTop } from '../support/scrolling.ts';

let browser: TestBrowser;
let server: TestServer;
let visitor: ConsolePage;
let orders: Awaited<ReturnType<typeof furnish>>['orders'];
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
  visitor = await consolePage(browser, server, { reducedMotion: 'no-preference' });
  await visitor.signIn(undefined, '/nowhere');
  ({ orders } = await furnish(server, visitor.token()));
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

describe('the list of tokens', () => {
  before(async () => {
    const admin = visitor.admin();
    const scopes = Array.from({ length: 30 }, (_, index) => `a-scope-with-a-long-name.${index}`);
    const api = await admin.resourceServers.create({ name: 'Wide', contactName: 'x', scopes });
    await admin.clients.create(api.id, {
      clientName: `A client of ${'many '.repeat(30)}words`,
      contactName: 'x',
      scopes,
      allowedClientCredentials: true,
    });
    const { items } = await admin.clients.list(api.id);
    await admin.accessTokens.create({ clientId: items[0]?.clientId ?? '' });
    await visitor.goTo('/tokens');
    await visitor.page.getByRole('row').nth(20).waitFor();
  });

  const focused = () => visitor.page.evaluate<string>('document.activeElement.textContent');

  it('has rows of one line each, with any content, and fits its page', async () => {
    const { page } = visitor;
    await visitor.screenshot('console-tokens-long-names');
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height))",
    );
    assert.equal(heights.length, 25);
    assert.ok(Math.max(...heights) <= 40, String(heights));
    assert.equal(Math.max(...heights), Math.min(...heights));
    assert.ok(
      await page.evaluate(
        "document.querySelector('.table').scrollWidth <= document.querySelector('.table-frame').clientWidth",
      ),
    );
    const wide = page.getByRole('row', { name: 'a-client-of-many' });
    assert.match(await wide.getByRole('list', { name: 'Scopes' }).innerText(), /\+28/);
    assert.match((await wide.getByRole('list', { name: 'Scopes' }).getAttribute('title')) ?? '', /name\.29$/);
  });

  it('has a menu for each row that works with the keyboard', async () => {
    const { page } = visitor;
    const button = page.getByRole('button', { name: /^Actions/ }).nth(1);
    await button.press('Enter');
    assert.equal(await focused(), 'Change');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Revoke');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Change');
    await page.keyboard.press('End');
    assert.equal(await focused(), 'Revoke');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    assert.ok(await button.evaluate((element) => element === document.activeElement));
    await button.press('ArrowDown');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await button.press('Enter');
    await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
    await page.getByRole('dialog', { name: 'Revoke this token?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.ok(await button.evaluate((element) => element === document.activeElement));
  });

  it('closes a menu at a click outside it', async () => {
    const { page } = visitor;
    const button = page.getByRole('button', { name: /^Actions/ }).first();
    await button.click();
    await page.getByRole('menu').waitFor();
    await button.click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await button.click();
    await page.getByRole('heading', { name: 'Tokens' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('shows that a number is incomplete, and reads more', async () => {
    const { page } = visitor;
    const admin = visitor.admin();
    for (let count = 0; count < 80; count += 1) await admin.accessTokens.create({ clientId: 'web-shop' });
    await visitor.goTo('/tokens?state=all');
    await page.getByText('1–25 of 100 tokens so far').waitFor();
    await page.getByRole('button', { name: 'Read more' }).click();
    await page.getByText(/^1–25 of 11\d tokens$/).waitFor();
    await visitor.goTo('/tokens');
    await page.getByRole('row').nth(20).waitFor();
  });

  it('issues a token to a client that is found by keyboard', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Issue a token' }).click();
    const select = page.getByRole('combobox', { name: 'Client' });
    await select.pressSequentially('demo');
    await page.getByRole('option').nth(2).waitFor({ state: 'detached' });
    await select.press('ArrowDown');
    await page.locator('[data-active=true]').getByText('Demo App').waitFor();
    await select.press('Enter');
    assert.equal(await select.inputValue(), 'Demo App');
    await select.fill('nobody has this name');
    await page.getByText('Nothing fits').waitFor();
    await visitor.assertAccessible();
    await select.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    assert.ok(await page.getByRole('dialog').isVisible(), 'the dialog stays');
    assert.equal(await select.inputValue(), 'Demo App');
    await page.getByRole('checkbox', { name: 'read' }).waitFor();
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByTestId('secret').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('a dialog', () => {
  before(async () => {
    await visitor.goTo(`/resource-servers/${orders.id}?tab=danger`);
  });

  it('closes by Escape, by its button and by a click beside it, and gives the focus back', async () => {
    const { page } = visitor;
    const opener = page.getByRole('button', { name: 'Rotate the secret' });
    const dialog = page.getByRole('dialog', { name: 'Give it a new secret' });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
    ]) {
      await opener.click();
      await dialog.waitFor();
      await close();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Rotate the secret');
    }
  });

  it('with a secret that is shown once closes by its button alone', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const secret = page.getByTestId('secret');
    await secret.waitFor();
    const shown = await secret.textContent();
    // A browser does not ask before it closes a dialog the second time.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.evaluate("document.querySelector('dialog').requestClose()");
    assert.equal(await secret.textContent(), shown);
    // The event "close", which shows the dialog again, comes after the script.
    await page.locator('dialog:modal').waitFor();
    assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).count(), 0);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await secret.waitFor({ state: 'detached' });
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('the administration GUI, between pages', () => {
  const lastRow = () => visitor.page.getByRole('row').nth(25);

  it('opens a new page at its top, and restores the position on the way back', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 440 });
    await visitor.goTo('/tokens');
    await lastRow().waitFor();
    await scrollTo(page, 300);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    assert.equal(await scrollTop(page), 0);
    await scrollTo(page, 120);
    await page.goBack();
    await assertScrolledTo(page, 300);
    await page.goForward();
    await assertScrolledTo(page, 120);
    await page.goBack();
    await assertScrolledTo(page, 300);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN');
  });
});
