import { launchBrowser } from '@watchword/testkit/browser';
import type { Page } from 'playwright-core';

const deadline = 60_000;

/** Where one goes by the navigation, and what is there when the list can be used. */
const places = [
  { link: 'Resource servers', until: 'tbody tr' },
  { link: 'Clients', until: 'tbody tr' },
  { link: 'Tokens', until: 'tbody tr' },
  { link: 'Audit log', until: '.audit-log-entry' },
  { link: 'Overview', until: '.figures' },
] as const;

/** How long the GUI takes, in Chromium, from a click to a list that can be used; the second time it is kept. */
export async function benchPages(baseUrl: string): Promise<void> {
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(deadline);
  await page.goto(`${baseUrl}/client/client.html#/nowhere`);
  await page.getByLabel('User name').fill('administrator');
  await page.getByLabel('Password').fill(JSON.stringify({ adminPrincipal: true }));
  await page.getByRole('button', { name: 'Sign in' }).click();
  const allow = page.getByRole('button', { name: 'Allow' });
  const signedIn = page.locator('.signed-in');
  await allow.or(signedIn).first().waitFor();
  if (await allow.isVisible()) await allow.click();
  await signedIn.waitFor();
  console.log('\nthe GUI, from a click to a list that can be used');
  for (const { link, until } of places) {
    const first = await goAndWait(page, link, until);
    const again = await search(page);
    console.log(
      [`${first.toFixed(0).padStart(6)} ms`, again === undefined ? '' : `search ${again.toFixed(0)} ms`, link]
        .filter((part) => part !== '')
        .join('  '),
    );
  }
}

async function goAndWait(page: Page, link: string, until: string): Promise<number> {
  const started = performance.now();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link }).click();
  await page.getByRole('heading', { name: link, level: 1 }).waitFor();
  await page.locator(`main ${until}`).first().waitFor();
  return performance.now() - started;
}

/** From the last key to the answer; `undefined` where nothing is searched. */
async function search(page: Page): Promise<number | undefined> {
  const box = page.getByRole('searchbox');
  if (!(await box.isVisible())) return undefined;
  const started = performance.now();
  await box.fill('zzz');
  await page.locator('main tbody tr, main .audit-log-entry').first().waitFor({ state: 'detached' });
  return performance.now() - started;
}
