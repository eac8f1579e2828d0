import assert from 'node:assert/strict';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import type { Service } from './service.ts';

/** Of the accounts of tests. */
export const accountPassword = 'correct horse battery';

/** The settings of a server with local accounts beside the provider. */
export function besideAccounts(upstream: object): { readonly authenticators: string } {
  const corp = { module: '@watchword/upstream', as: 'corp', ...upstream };
  return { authenticators: JSON.stringify(['password', corp]) };
}

/** The address of a link of a page. */
export function href(page: Page, part: string): string {
  const found = [...page.html.matchAll(/href="([^"]+)"/g)].find(([, url = '']) => url.includes(part));
  const url = found?.[1]?.replaceAll('&amp;', '&') ?? assert.fail(`no link with ${part}: ${page.text}`);
  return new URL(url, page.url).href;
}

/** Logs in with the local account of this name. */
export async function logInWithPassword(
  { baseUrl }: Service,
  username: string,
  agent = new UserAgent(),
): Promise<UserAgent> {
  const chooser = await agent.get(`${baseUrl}/account`);
  await logInAgain(chooser, username, agent);
  return agent;
}

/** @param page leads to the login with a password */
export async function logInAgain(page: Page, username: string, agent: UserAgent): Promise<void> {
  await agent.submit(await agent.get(href(page, 'authenticator=password')), {
    username,
    password: accountPassword,
  });
}

/** Presses a button of the account page. */
export async function press(
  { baseUrl }: Service,
  agent: UserAgent,
  fields: Record<string, string>,
): Promise<Page> {
  const page = await agent.get(`${baseUrl}/account`);
  return agent.post(`${baseUrl}/account/links`, { auth_state: authState(page), ...fields });
}

export function authState(page: Page): string {
  const controls = page.forms.flatMap((form) => form.controls);
  return controls.find(({ name }) => name === 'auth_state')?.value ?? assert.fail(page.text);
}

/** Begins to link at the account page, and logs in at the provider; resolves with the address of its response. */
export async function beginLink(service: Service, agent: UserAgent, issuer: string): Promise<string> {
  // A page that answers a form forwards the browser.
  const page = await press(service, agent, { authenticator: 'corp' });
  return (await new UserAgent().get(href(page, issuer))).location ?? assert.fail(page.text);
}
