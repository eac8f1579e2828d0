import assert from 'node:assert/strict';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { type ClientSite, clientSite } from '@watchword/server-testkit/clients/client-site';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/people/watched-page';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions } from 'playwright-core';

/** A user of their own in a window of their own. */
export interface PageVisit extends WatchedPage {
  readonly user: string;
  /** Answers the login page that is shown. */
  answerLogin(): Promise<void>;
  /** Asks for access to the application, and logs in. */
  logIn(): Promise<void>;
  /** Resolves with the parameters that the client gets. */
  allow(): Promise<URLSearchParams>;
}

/** A server with an application, the website of the application, and a browser. */
export interface PageVisits extends AsyncDisposable {
  readonly browser: TestBrowser;
  readonly server: TestServer;
  readonly site: ClientSite;
  readonly app: Application;
  /** An application that no administrator trusts. */
  readonly stranger: Application;
  visit(options?: BrowserContextOptions): Promise<PageVisit>;
}

/** @param flags of the server */
export async function startPageVisits(flags: Parameters<typeof startServer>[0] = {}): Promise<PageVisits> {
  const [browser, server, site] = await Promise.all([openBrowser(), startServer(flags), clientSite()]);
  const app = await registerApplication(server, {
    clientName: 'Photo Printer',
    description: 'Prints the photos of your albums and sends them home.',
    redirectUris: [site.callback],
    openidScopes: ['profile', 'email', 'offline_access'],
  });
  const stranger = await registerApplication(server, {
    clientName: 'HR Portal (official)',
    redirectUris: [site.callback],
    openidScopes: ['profile', 'email'],
  });
  await server.service.store.clients.update(stranger.client.id, { ...stranger.client, trusted: false });
  await server.service.store.refreshRegistry();

  let users = 0;
  return {
    ...{ browser, server, site, app, stranger },
    async visit(options) {
      users += 1;
      // A browser treats the other name of the site as another site.
      const origins = [server.baseUrl, site.origin, site.origin.replace('127.0.0.1', 'localhost')];
      const watched = await watchedPage(browser, origins, options);
      const { page } = watched;
      const user = `user-${users}`;
      const answerLogin = async () => {
        await page.getByLabel('User name').fill(user);
        await page.getByLabel('Password').fill('secret');
        await watched.send(page.getByRole('button', { name: 'Sign in' }));
      };
      return {
        ...watched,
        ...{ user, answerLogin },
        async logIn() {
          await page.goto(app.authorizeUrl());
          await answerLogin();
        },
        async allow() {
          await page.getByRole('button', { name: 'Allow' }).click();
          await page.waitForURL(`${site.callback}?**`);
          return new URL(page.url()).searchParams;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([browser, server, site].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

/** From the consent page of one user to the tokens of another, who logs in for the same request. */
export async function logInAsAnother({ app }: PageVisits, visitor: PageVisit): Promise<void> {
  const { page } = visitor;
  await visitor.logIn();
  const beside = page.waitForEvent('popup');
  await page.getByRole('link', { name: /in your account/ }).click();
  await (await beside).getByRole('heading', { name: 'Applications with access' }).waitFor();
  await visitor.send(page.getByRole('button', { name: 'Not you?' }));
  await page.getByLabel('User name').fill('another user');
  await page.getByLabel('Password').fill('secret');
  await visitor.send(page.getByRole('button', { name: 'Sign in' }));
  assert.ok(await page.getByText('Signed in as another user').isVisible());
  await page.getByRole('checkbox', { name: 'Add, change and delete entries for you' }).uncheck();
  const code = (await visitor.allow()).get('code') ?? '';
  assert.equal((await app.redeem(code)).status, 200);
  assert.deepEqual(visitor.errors(), []);
}
