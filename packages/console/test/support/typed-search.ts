import assert from 'node:assert/strict';
import type { ConsolePage } from './console-page.ts';

/**
 * Types in the search of a page that asks the server, and fails unless the text is sent once. The clock of the window is
 * installed.
 *
 * @param until the text that the page shows when it has been read
 */
export async function assertSentOnce(visitor: ConsolePage, route: string, until: string): Promise<void> {
  const { page } = visitor;
  await visitor.goTo(route);
  await page.getByText(until).filter({ visible: true }).first().waitFor();
  const asked: string[] = [];
  const note = (request: { url(): string }) => {
    const q = new URL(request.url()).searchParams.get('q');
    if (q !== null) asked.push(q);
  };
  page.on('request', note);
  await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 2000);
  const box = page.getByRole('searchbox').first();
  await box.pressSequentially('stock');
  assert.deepEqual(asked, []);
  await page.clock.resume();
  await page.waitForURL(/[?&]q=stock/);
  await page.getByText(/fits/).waitFor();
  assert.deepEqual([...new Set(asked)], ['stock']);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.waitForURL((url) => !url.hash.includes('q='));
  await box.fill('shop');
  await box.press('Enter');
  await page.waitForURL(/[?&]q=shop/);
  page.off('request', note);
}
