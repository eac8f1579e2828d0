import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';
import { furnish } from '../support/furnish.ts';
import { assertScrolledTo, scrollTo, scrollTop, settled } from '../support/scrolling.ts';

describe('the administration GUI, on the way back to a list', () => {
  let gui: OpenConsole<TestServer>;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openConsole(startServer({ authenticator: 'noop-admin' }));
    ({ server, visitor } = gui);
    await visitor.page.clock.install();
    await visitor.page.setViewportSize({ width: 1280, height: 440 });
    await visitor.signIn(undefined, '/nowhere');
    await furnish(server, visitor.token());
  });
  after(() => gui[Symbol.asyncDispose]());

  const lastRow = () => visitor.page.getByRole('row').nth(25);

  it('restores the position also when the list is read again first', async () => {
    const { page } = visitor;
    await visitor.goTo('/tokens');
    await lastRow().waitFor();
    await scrollTo(page, 300);
    await visitor.goTo('/resource-servers');
    await page.getByRole('heading', { name: 'Resource servers', level: 1 }).waitFor();
    await settled(page);
    await page.clock.fastForward('10:00');
    let go = () => {};
    const asked = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/admin/accessToken?*', async (route) => {
      await asked;
      await route.continue();
    });
    await page.goBack();
    await page.locator('.loading').waitFor();
    await settled(page);
    assert.equal(await scrollTop(page), 0);
    go();
    await lastRow().waitFor();
    await assertScrolledTo(page, 300);
  });

  it('does not scroll for a user who scrolls meanwhile', async () => {
    const { page } = visitor;
    await visitor.goTo('/resource-servers');
    await page.getByRole('heading', { name: 'Resource servers', level: 1 }).waitFor();
    await settled(page);
    await page.clock.fastForward('10:00');
    let go = () => {};
    const asked = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.unroute('**/admin/accessToken?*');
    await page.route('**/admin/accessToken?*', async (route) => {
      await asked;
      await route.continue();
    });
    await page.goBack();
    await page.locator('.loading').waitFor();
    await settled(page);
    await page.keyboard.press('Home');
    go();
    await lastRow().waitFor();
    assert.equal(await scrollTop(page), 0);
  });

  it('keeps tables accessible as tables when a phone shows them as cards', async () => {
    const { page } = visitor;
    const session = await page.context().newCDPSession(page);
    const roles = async () => {
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      const all = nodes.filter(({ ignored }) => !ignored).map(({ role }) => String(role?.value));
      const parts = ['table', 'rowgroup', 'row', 'columnheader', 'cell'];
      return Object.fromEntries(parts.map((part) => [part, all.filter((role) => role === part).length]));
    };
    for (const route of ['/tokens', '/clients', '/resource-servers']) {
      await visitor.goTo(route);
      await page.getByRole('row').nth(2).waitFor();
      const wide = await roles();
      await page.setViewportSize({ width: 360, height: 740 });
      assert.deepEqual(await roles(), wide);
      await page.setViewportSize({ width: 1280, height: 440 });
      // A browser that decides by the CSS property `display` needs the role.
      for (const [element, role] of Object.entries({
        table: 'table',
        thead: 'rowgroup',
        tbody: 'rowgroup',
        tr: 'row',
        th: 'columnheader',
        td: 'cell',
      })) {
        const parts = page.locator(`.table-frame ${element}, .table-frame${element}`);
        assert.equal(await parts.and(page.locator(`[role=${role}]`)).count(), await parts.count(), element);
      }
    }
    assert.deepEqual(visitor.errors(), []);
  });
});
