import assert from 'node:assert/strict';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { clientSite } from '@watchword/server-testkit/clients/client-site';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/people/watched-page';
import { openBrowser } from '@watchword/testkit/browser';
import { testKey } from '@watchword/testkit/certificate';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describedProvider, honest } from './flow.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { inline, introduce, type Service, startService } from './service.ts';

/**
 * A service, an identity provider and a client. The service is at `localhost`, and all other servers are at `127.0.0.1`.
 * These are different sites for browsers, so a POST from one to the other has no `SameSite=Lax` cookies.
 */
export interface LoginAcrossSites extends AsyncDisposable {
  readonly idp: IdentityProvider;
  readonly service: Service;
  readonly callback: string;
  readonly authorizeUrl: string;
  visit(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Logs in at the identity provider, and returns to the client. */
  atProvider(page: Page): Promise<void>;
}

export async function startLoginAcrossSites(): Promise<LoginAcrossSites> {
  const [browser, idp, site] = await Promise.all([openBrowser(), startIdentityProvider(), clientSite()]);
  const signing = testKey('service');
  const service = await startService({
    identityProviders: [
      inline(idp, { name: 'University of Somewhere', binding: 'post' }),
      describedProvider(honest, { name: 'Elsewhere College' }),
    ],
    signing: { key: signing.key, certificate: signing.certificate },
  });
  await introduce(service, idp);
  const { client } = await registerApplication(service.server, { redirectUris: [site.callback] });
  const query = { response_type: 'code', client_id: client.clientId, state: 'state-1' };
  return {
    ...{ idp, service, callback: site.callback },
    authorizeUrl: `${service.baseUrl}/authorize?${new URLSearchParams(query)}`,
    visit: (options) =>
      watchedPage(browser, [service.baseUrl, new URL(idp.ssoUrl).origin, site.origin], options),
    async atProvider(page) {
      await page.getByRole('button', { name: 'Log in as e-1' }).click();
      await page.waitForURL(`${site.callback}?**`);
      const { searchParams } = new URL(page.url());
      assert.equal(searchParams.get('state'), 'state-1');
      assert.ok(searchParams.has('code'));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([browser, service, idp, site].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
