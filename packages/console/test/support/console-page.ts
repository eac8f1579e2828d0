import { type AdminClient, createAdminClient } from '@watchword/admin-client';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/people/watched-page';
import type { TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openSignedIn } from './signed-in.ts';

/** The administration GUI in a browser window. */
export interface ConsolePage extends WatchedPage {
  readonly page: Page;
  /** The token of its last request for administration. */
  token(): string;
  /** Sends requests with the same token, like another window. */
  admin(): AdminClient;
  /** Opens a page of the GUI. */
  goTo(route: string): Promise<void>;
  /** Opens the GUI as a login leaves it. The login takes place over HTTP, so that its pages cost nothing. */
  signIn(person?: string, route?: string, password?: string): Promise<void>;
  /** Opens the GUI, answers the login and the consent page, and waits until the user is logged in. */
  signInByPages(person?: string, route?: string, password?: string): Promise<void>;
}

const deadline = 30_000;

const usualPassword = 'secret';

/** Opens a browser window for the GUI of the server, without a login. */
export async function consolePage(
  browser: TestBrowser,
  server: TestServer,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const address = addressOf(server);
  const watched = await watchedPage(browser, [new URL(address).origin], options);
  const { page } = watched;
  page.setDefaultTimeout(deadline);
  let token = '';
  page.on('request', (request) => {
    if (!request.url().includes('/admin/')) return;
    token = request.headers().authorization?.replace('Bearer ', '') ?? token;
  });
  return {
    ...watched,
    token: () => token,
    admin: () => createAdminClient({ baseUrl: server.service.baseUrl, token: () => token }),
    async goTo(route) {
      await page.evaluate((to) => location.assign(`#${to}`), route);
    },
    async signIn(username, route = '/', password = usualPassword) {
      await openSignedIn(page, server, route, { username, password });
      await page.locator('.signed-in').waitFor();
    },
    async signInByPages(person, route = '/', password = usualPassword) {
      await page.goto(`${address}#${route}`);
      await answerQuestions(page, person, password);
    },
  };
}

/** A server, and its GUI in a window of a browser without a login. */
export interface OpenConsole<Server> extends AsyncDisposable {
  readonly browser: TestBrowser;
  readonly server: Server;
  readonly visitor: ConsolePage;
}

/** Opens the GUI of a server that is being started. */
export async function openConsole<Server extends TestServer>(
  starting: Promise<Server>,
): Promise<OpenConsole<Server>> {
  const [browser, server] = await Promise.all([openBrowser(), starting]);
  return {
    browser,
    server,
    visitor: await consolePage(browser, server),
    async [Symbol.asyncDispose]() {
      await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

/** Fills in the login page and the consent page, if they are shown. */
export async function answerQuestions(page: Page, person?: string, password = usualPassword): Promise<void> {
  // By the names of the fields, which are the same in every language.
  const signedIn = page.locator('.signed-in');
  if (person !== undefined) {
    await page.locator('[name="username"]').fill(person);
    await page.locator('[name="password"]').fill(password);
    await page.locator('[name="password"]').press('Enter');
  }
  const allow = page.locator('[name="decision"][value="allow"]');
  await allow.or(signedIn).first().waitFor();
  if (await allow.isVisible()) await allow.click();
  await signedIn.waitFor();
}

/** The address of the GUI, below the base URL of the server. */
export function addressOf(server: TestServer): string {
  return `${server.service.baseUrl}/client/client.html`;
}
