import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { variants } from '@watchword/testkit';
import { openBrowser } from '@watchword/testkit/browser';

const lifetime = 60;
const password = 'correct horse battery';

describe('the pages of a login in a browser, open for too long', () => {
  for (const locale of variants(1, ['en', 'nl', 'de'])) {
    it(`come again with the cursor in the field that is empty, and lead on (${locale})`, async () => {
      await using browser = await openBrowser();
      await using server = await startAccountServer({ 'authState.lifetime': String(lifetime) });
      await server.addAccount('emma');
      await using visitor = await watchedPage(browser, [server.baseUrl], { locale });
      const { page } = visitor;
      using clock = stoppedClock();
      const logIn = async () => {
        await page.locator('[name=password]').fill(password);
        await visitor.send(page.locator('main button.button-primary'));
      };
      await page.goto(`${server.baseUrl}/authorize?response_type=code&client_id=demo-app`);
      await page.locator('[name=username]').fill('emma');
      clock.advance(lifetime);
      await logIn();
      await page.locator('.message-neutral').waitFor();
      assert.equal(await page.locator('[name=username]').inputValue(), 'emma');
      assert.equal(await page.evaluate('document.activeElement.name'), 'password');
      await visitor.assertAccessible();
      await visitor.screenshot(`login-late-${locale}`);
      await logIn();
      await page.locator('[name=granted_scopes]').first().uncheck();
      clock.advance(lifetime);
      await visitor.send(page.locator('[value=allow]'));
      await page.locator('.message-neutral').waitFor();
      assert.ok(!(await page.locator('[name=granted_scopes]').first().isChecked()));
      await visitor.assertAccessible();
      await visitor.screenshot(`consent-late-${locale}`);
      await page.goto(`${server.baseUrl}/consent`);
      await visitor.assertAccessible();
      await visitor.screenshot(`step-${locale}`);
      await page.locator('a.button').click();
      await page.locator('.page-account').waitFor();
      assert.deepEqual(visitor.errors(), []);
    });
  }
});
