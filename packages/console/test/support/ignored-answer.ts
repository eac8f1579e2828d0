import assert from 'node:assert/strict';
import type { TestServer } from '@watchword/server-testkit/servers/server';
import { addressOf, type ConsolePage } from './console-page.ts';

export const evil = encodeURIComponent('<img src=x onerror="alert(document.domain)">');

/** Opens the GUI without a login, with an answer that it must ignore: it erases, shows and uses nothing of it. */
export async function assertIgnored(
  server: TestServer,
  { page, errors }: ConsolePage,
  fragment: string,
): Promise<void> {
  const requests: string[] = [];
  const note = (request: { url(): string }) => requests.push(request.url());
  page.on('request', note);
  await page.goto('about:blank');
  await page.goto(`${addressOf(server)}#${fragment}`);
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  assert.equal(page.url(), addressOf(server));
  assert.equal(await page.locator('img[src=x]').count(), 0);
  assert.doesNotMatch(await page.content(), /onerror/);
  assert.deepEqual(
    requests.filter((url) => url.includes('/admin/')),
    [],
  );
  assert.deepEqual(errors(), []);
  page.off('request', note);
}
