import assert from 'node:assert/strict';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { anApi, anApp } from '@watchword/server-testkit/servers/administration';
import type { TestServer } from '@watchword/server-testkit/servers/server';
import type { Locator, Page } from 'playwright-core';
import { type ConsolePage, openConsole } from './console-page.ts';

/** The password of each account. */
export const password = 'correct horse battery';

/** Records of an owner, the access of a person, and an administrator who searches them. */
export interface SearchedServer extends AsyncDisposable {
  readonly server: AccountServer;
  readonly visitor: ConsolePage;
  /** The field that finds by name. */
  find(): Locator;
  /** Pastes a new token into the search of a page, and sees what it is. */
  assertFoundByText(route: string): Promise<void>;
  /** Fails when the secret has been in an address or in the log of the server. */
  assertInNoAddress(secret: string): Promise<void>;
}

export async function startSearchedServer(): Promise<SearchedServer> {
  const gui = await openConsole(startAccountServer());
  const { server, visitor } = gui;
  await server.addAccount('emma');
  await server.addAccount('owner');
  const owner = await server.logIn('owner');
  const { id } = await owner.create('/admin/resourceServer', anApi);
  await owner.create(`/admin/resourceServer/${id}/client`, anApp);
  await server.grantTo('emma');
  const { page } = visitor;
  await visitor.signIn('root', '/tokens', password);

  const searched: SearchedServer = {
    ...{ server, visitor },
    find: () => findField(page),
    async assertFoundByText(route) {
      const token = await server.issueToken();
      await visitor.goTo(route);
      await page.getByRole('searchbox').first().fill(`Authorization: Bearer ${token}`);
      const dialog = page.getByRole('dialog', { name: 'Access token' });
      await dialog.getByText('demo-service').waitFor();
      assert.equal(await page.getByRole('searchbox', { includeHidden: true }).first().inputValue(), '');
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await searched.assertInNoAddress(token);
    },
    assertInNoAddress: watchAddresses(server, visitor),
    [Symbol.asyncDispose]: () => gui[Symbol.asyncDispose](),
  };
  return searched;
}

export function findField(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Find', exact: true });
}

/** Notes each address from now on. The result fails when a secret was in one of them or in the log of the server. */
export function watchAddresses(server: TestServer, visitor: ConsolePage): (secret: string) => Promise<void> {
  const { page } = visitor;
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  return async (secret) => {
    addresses.push(page.url());
    assert.deepEqual(
      addresses.filter((address) => address.includes(secret)),
      [],
    );
    assert.ok(!server.log().includes(secret), server.log());
    // The browser reports the answer 404 for a token that was revoked.
    assert.deepEqual(
      visitor.errors().filter((error) => !error.includes('404')),
      [],
    );
  };
}
