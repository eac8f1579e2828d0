import type { TestServer } from '@watchword/server-testkit/servers/server';
import type { Page } from 'playwright-core';
import type { ConsolePage } from './console-page.ts';

/** Revokes the token of the window. */
export async function endToken(server: TestServer, { token }: ConsolePage): Promise<void> {
  const form = { token: token(), client_id: 'authorization-server-admin-js-client' };
  await server.post('/oauth2/revoke', form);
}

/** In a window with the form of a new resource server, the user has typed one, and the server has removed the token. */
export async function interruptAtForm(server: TestServer, visitor: ConsolePage, name: string): Promise<void> {
  const { page } = visitor;
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByLabel('Description').fill('Typed with care.');
  await endToken(server, visitor);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByRole('dialog', { name: 'Sign in again to continue' }).waitFor();
}

/** Opens the window of a new login. */
export async function signInAgain(page: Page): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  return popup;
}

export async function answerInPopup(popup: Page, person: string, password: string): Promise<void> {
  await popup.getByLabel('User name').fill(person);
  await popup.getByLabel('Password').fill(password);
  await popup.getByRole('button', { name: 'Sign in' }).click();
  await popup.getByRole('button', { name: 'Allow' }).click();
}

/** How many resource servers of this name the user of the window sees. */
export async function countRegistered(
  server: TestServer,
  { token }: ConsolePage,
  name: string,
): Promise<number> {
  const headers = { authorization: `Bearer ${token()}` };
  return (await server.get(`/admin/resourceServer?q=${encodeURIComponent(name)}`, headers)).json.length;
}
