import { userHandleOf } from '@watchword/accounts';
import { accountIdentityProvider, subjectOf } from '@watchword/protocol';
import { buildPasskey } from '@watchword/testkit';
import { Authenticator, type AuthenticatorOptions, type Forgery } from '@watchword/testkit/authenticator';
import type { Page, UserAgent } from '@watchword/testkit/user-agent';
import type { Served } from '../servers/server.ts';

/** The authenticator with a new passkey of a local account, which the database has. */
export async function addPasskey(
  { service: { store, baseUrl } }: Served,
  username: string,
  options?: AuthenticatorOptions,
): Promise<Authenticator> {
  const account = await store.accounts.find(username);
  if (account === undefined) throw new Error(`expected the account ${username}`);
  const [authenticator, { hostname: id, origin }] = [new Authenticator(options), new URL(baseUrl)];
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const subject = subjectOf(await store.subjectKey.read(), { ...owner, stableId: account.id });
  const owned = { subject, owner, userHandle: userHandleOf(account) };
  await store.credentials.create(await buildPasskey(authenticator, { id, origin }, owned), 100);
  return authenticator;
}

/** What the authenticator answers to the page, as its script sends it. */
export function passkeyAnswer(
  page: Page,
  authenticator: Authenticator,
  { service: { baseUrl } }: Served,
  forgery?: Forgery,
): { readonly passkey: string } {
  return { passkey: authenticator.get(optionsOf(page), new URL(baseUrl).origin, forgery) };
}

/** What the page asks the browser for. */
export function optionsOf(page: Page) {
  const [, data = '{}'] = /name="passkey" value="" data-options="([^"]*)"/.exec(page.html) ?? [];
  return JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

/** The browser logs in at a page. */
export function usePasskey(
  agent: UserAgent,
  page: Page,
  ...how: [Authenticator, Served, Forgery?]
): Promise<Page> {
  const [authenticator, server, forgery] = how;
  return agent.submit(page, passkeyAnswer(page, authenticator, server, forgery));
}

/** A new passkey, as the page asks for it. */
export function newPasskey(
  page: Page,
  authenticator: Authenticator,
  { service: { baseUrl } }: Served,
  forgery?: Forgery,
): { readonly passkey: string } {
  return { passkey: authenticator.create(optionsOf(page), new URL(baseUrl).origin, forgery) };
}
