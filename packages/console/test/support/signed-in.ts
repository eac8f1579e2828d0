import type { Served } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import type { Page } from 'playwright-core';
import { authorizationUrl, newState } from '../../src/session/authorization.ts';
import { PendingRequests } from '../../src/session/pending.ts';
import { memoryStorage } from './memory-storage.ts';

/**
 * Opens the GUI with the answer of a login that took place over HTTP, in a tab that has asked for it and in a browser with
 * the cookies of that login. The login page, the consent page and a first load of the GUI would take the browser longer
 * than most tests.
 */
export async function openSignedIn(
  page: Page,
  server: Served,
  route: string,
  { username, password }: { readonly username: string | undefined; readonly password: string },
): Promise<void> {
  const storage = memoryStorage();
  const state = newState();
  new PendingRequests(storage).add(state, { mode: 'page', route });
  const agent = new UserAgent();
  const { baseUrl } = server.service;
  // By the other name of the host, so that the answer goes to another origin and is not followed.
  const request = authorizationUrl({ baseUrl, state }).replace(baseUrl, server.baseUrl);
  const answers = { password, ...(username !== undefined && { username }) };
  const flow = await followFlow(agent, request, answers);
  // With a query it is another document, also in a tab that shows the GUI to someone else.
  const answered = flow.location.replace('#', '?answered#');
  const { hostname } = new URL(baseUrl);
  await page.context().clearCookies();
  await page.context().addCookies(
    agent.cookies.map(({ name, value, path, attributes }) => ({
      ...{ name, value, path, domain: hostname },
      ...{ httpOnly: attributes.has('httponly'), secure: attributes.has('secure'), sameSite: 'Lax' },
    })),
  );
  const key = storage.key(0) ?? '';
  // The script is run in every document from now on, and the answer is in the address of this one only.
  await page.addInitScript(
    ([address, name, value]) => {
      if (location.href === address) sessionStorage.setItem(name, value);
    },
    [answered, key, storage.getItem(key) ?? ''] as const,
  );
  await page.goto(answered);
}
