import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser } from '@watchword/testkit/browser';
import type { Locator, Page } from 'playwright-core';
import { type ConsolePage, consolePage } from './console-page.ts';

/** A window of an administrator, for the login test of clients. */
export interface LoginTest extends AsyncDisposable {
  readonly server: TestServer;
  readonly visitor: ConsolePage;
  /** The address at which the login test gets its answers. */
  readonly redirectUri: string;
  /** Registers a client, and opens its login test. */
  openClient(
    clientName: string,
    fields?: object,
  ): Promise<{
    readonly id: number;
    readonly secret: string;
    stored(): Promise<{ readonly clientId: string; readonly redirectUris: readonly string[] }>;
  }>;
  addAddress(): Promise<void>;
  logIn(): Promise<Page>;
  section(name: string): Locator;
}

/** @param flags of the server */
export async function startLoginTest(flags: Parameters<typeof startServer>[0] = {}): Promise<LoginTest> {
  const [browser, server] = await Promise.all([
    openBrowser(),
    startServer({ authenticator: 'noop-admin', ...flags }),
  ]);
  const visitor = await consolePage(browser, server, { viewport: { width: 1280, height: 2000 } });
  const { page } = visitor;
  await visitor.signIn(undefined, '/nowhere');
  const api = { contactName: 'Emma', name: 'API', scopes: ['read'] };
  const { id: resourceServerId } = await visitor.admin().resourceServers.create(api);
  return {
    ...{ server, visitor },
    redirectUri: `${server.service.baseUrl}/client/login-test.html`,
    async openClient(clientName, fields = {}) {
      const { id, secret = '' } = await visitor.admin().clients.create(resourceServerId, {
        ...{
          clientName,
          contactName: 'Emma',
          redirectUris: ['https://portal.example/cb'],
          expireDuration: 60,
        },
        ...{ openidScopes: ['profile', 'email'], skipConsent: true, ...fields },
      });
      await visitor.goTo(`/resource-servers/${resourceServerId}/clients/${id}?tab=login`);
      await page.getByRole('heading', { name: clientName, level: 1 }).waitFor();
      const stored = async () => (await visitor.admin().clients.get({ resourceServerId, id })).record;
      return { id, secret, stored };
    },
    addAddress: () => page.getByRole('button', { name: 'Add the address' }).click(),
    async logIn() {
      const opened = page.context().waitForEvent('page');
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      return opened;
    },
    section: (name) => page.locator('.login-test-message', { has: page.getByRole('heading', { name }) }),
    async [Symbol.asyncDispose]() {
      await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
