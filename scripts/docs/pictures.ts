import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createAdminClient } from '@watchword/admin-client';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/account-server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { Page } from 'playwright-core';

/** The folder of the pictures of README.md. `words.json` has what they show, which a test compares with the pages of today. */
export const picturesFolder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** A picture of a page, and the words that it shows. */
export interface Picture {
  readonly name: 'login' | 'console';
  /** A file of WebP. */
  readonly image: Buffer;
  /** The visible text of the page. */
  readonly words: string;
}

/** By name, as `words.json` has them. */
export function wordsOf(pictures: readonly Picture[]): string {
  return `${JSON.stringify(Object.fromEntries(pictures.map(({ name, words }) => [name, words])), null, 2)}\n`;
}

const size = { width: 1000, height: 700 };
const deadline = 30_000;
const person = { username: 'root', password: 'correct horse' };

/** Opens the login page and the administration pages of a real server that has the records of a shop, and takes pictures. */
export async function takePictures(): Promise<Picture[]> {
  await using server = await startAccountServer();
  const { shopId, clientId } = await openShop(server);
  await using browser = await openBrowser();
  return [await pictureOfLogin(browser, server, clientId), await pictureOfConsole(browser, server, shopId)];
}

async function pictureOfLogin(browser: TestBrowser, server: AccountServer, clientId: string) {
  const page = await windowOf(browser);
  await page.goto(`${server.service.baseUrl}/authorize?response_type=code&client_id=${clientId}`);
  await page.locator('[name="username"]').fill('emma');
  await page.locator('[name="password"]').fill('correct horse');
  return picture('login', page);
}

async function pictureOfConsole(browser: TestBrowser, server: AccountServer, shopId: string) {
  const page = await windowOf(browser);
  await page.goto(`${server.service.baseUrl}/client/client.html#/resource-servers/${shopId}`);
  await page.locator('[name="username"]').fill(person.username);
  await page.locator('[name="password"]').fill(person.password);
  await page.locator('[name="password"]').press('Enter');
  await page.locator('main').getByText('Night job').first().waitFor();
  await page.locator('main:not(:has(.loading))').waitFor();
  return picture('console', page);
}

async function windowOf(browser: TestBrowser): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    reducedMotion: 'reduce',
    locale: 'en',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(deadline);
  return page;
}

async function picture(name: Picture['name'], page: Page): Promise<Picture> {
  const session = await page.context().newCDPSession(page);
  // Playwright takes no WebP, which has a third of the bytes of PNG.
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  return {
    name,
    image: Buffer.from(data, 'base64'),
    words: (await page.innerText('body')).replaceAll(/\s+/g, ' '),
  };
}

/** The records of a shop. */
async function openShop(server: AccountServer): Promise<{ shopId: string; clientId: string }> {
  const { token } = await server.logIn(person.username, person.password);
  const admin = createAdminClient({ baseUrl: server.service.baseUrl, token: () => token });
  const contact = { contactName: 'Emma de Vries', contactEmail: 'emma@example.com' };
  const orders = await admin.resourceServers.create({
    ...contact,
    name: 'Orders API',
    description: 'Orders, payments and refunds of the shop.',
    scopes: [
      { name: 'orders.read', description: 'See your orders' },
      { name: 'orders.write', description: 'Order and cancel for you' },
    ],
  });
  for (const clientName of ['Web shop', 'Mobile app', 'Help desk']) {
    await admin.clients.create(orders.id, {
      ...contact,
      clientName,
      scopes: ['orders.read', 'orders.write'],
      redirectUris: ['https://shop.example.com/callback'],
      useRefreshTokens: true,
      expireDuration: 3600,
    });
  }
  await admin.clients.create(orders.id, {
    ...contact,
    clientName: 'Night job',
    scopes: ['orders.read'],
    allowedClientCredentials: true,
    expireDuration: 3600,
  });
  await server.service.store.refreshRegistry();
  return { shopId: String(orders.id), clientId: 'web-shop' };
}

// `npm run docs:pictures`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(picturesFolder, { recursive: true });
  const taken = await takePictures();
  for (const { name, image } of taken) await writeFile(`${picturesFolder}${name}.webp`, image);
  await writeFile(`${picturesFolder}words.json`, wordsOf(taken));
}
