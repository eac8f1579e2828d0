import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { Page } from 'playwright-core';
import { seedDemoCompany } from '../../packages/server/src/demo.ts';

/**
 * The folder of the pictures of README.md and of the first page of the site. `words.json` has what they show, which a test compares with
 * the pages of today.
 */
export const picturesFolder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

const schemes = ['light', 'dark'] as const;

/** A picture of a page, and the words that it shows. */
export interface Picture {
  readonly name: string;
  /** A file of WebP for light and one for dark screens. */
  readonly images: Readonly<Record<(typeof schemes)[number], Buffer>>;
  /** Visible text of the page that is the same on each day. */
  readonly words: string;
}

/** By name, as `words.json` has them. */
export function wordsOf(pictures: readonly Picture[]): string {
  return `${JSON.stringify(Object.fromEntries(pictures.map(({ name, words }) => [name, words])), null, 2)}\n`;
}

const size = { width: 1000, height: 900 };
// Long, because the machine may be busy.
const deadline = 60_000;
// Figures and times of the demo differ from day to day.
const headings = 'h1, h2';

/** Opens pages of a real server that has the records of `--demo`, and takes pictures. */
export async function takePictures(): Promise<Picture[]> {
  await using server = await startServer({}, undefined, true);
  await seedDemoCompany(server.service.store);
  await server.service.store.refreshRegistry();
  await using browser = await openBrowser();
  const page = await windowOf(browser);
  const asAdministrator = await windowOf(browser);
  return [
    await pictureOfLogin(page, server),
    await pictureOfConsent(page),
    await pictureOfOverview(asAdministrator, server),
    await pictureOfApi(asAdministrator),
  ];
}

async function pictureOfLogin(page: Page, { baseUrl }: TestServer): Promise<Picture> {
  await page.goto(`${baseUrl}/authorize?response_type=code&client_id=tandem-planner&prompt=consent`);
  return picture('login', page);
}

async function pictureOfConsent(page: Page): Promise<Picture> {
  await choose(page, 'user');
  await page.locator('[name="decision"]').first().waitFor();
  return picture('consent', page);
}

async function pictureOfOverview(page: Page, { baseUrl }: TestServer): Promise<Picture> {
  await page.goto(`${baseUrl}/client/client.html`);
  await choose(page, 'administrator');
  await page.locator('main svg').first().waitFor();
  return picture('overview', page, headings);
}

async function pictureOfApi(page: Page): Promise<Picture> {
  await page.getByRole('link', { name: 'Resource servers' }).first().click();
  await page.getByRole('link', { name: 'Tandem Shop' }).first().click();
  await page.locator('main').getByText('tandem-till').first().waitFor();
  return picture('console', page, headings);
}

/** Logs in as a person of the demo, with the one click that its login page offers. */
async function choose(page: Page, choice: 'administrator' | 'user'): Promise<void> {
  await page.locator(`[name="choice"][value="${choice}"]`).click();
}

async function windowOf(browser: TestBrowser): Promise<Page> {
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce', locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(deadline);
  return page;
}

async function picture(name: string, page: Page, shown = 'body'): Promise<Picture> {
  await page.mouse.move(0, 0);
  await page.locator('body:not(:has(main .loading))').waitFor();
  const texts = await page.locator(shown).allInnerTexts();
  const words = texts.join(' ').replaceAll(/\s+/g, ' ').trim();
  return { name, images: { light: await shoot(page, 'light'), dark: await shoot(page, 'dark') }, words };
}

async function shoot(page: Page, colorScheme: (typeof schemes)[number]): Promise<Buffer> {
  await page.emulateMedia({ colorScheme });
  const session = await page.context().newCDPSession(page);
  // Playwright takes no WebP, which has a third of the bytes of PNG.
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  return Buffer.from(data, 'base64');
}

// `npm run docs:pictures`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(picturesFolder, { recursive: true });
  const taken = await takePictures();
  for (const { name, images } of taken) {
    for (const scheme of schemes) await writeFile(`${picturesFolder}${name}-${scheme}.webp`, images[scheme]);
  }
  await writeFile(`${picturesFolder}words.json`, wordsOf(taken));
}
