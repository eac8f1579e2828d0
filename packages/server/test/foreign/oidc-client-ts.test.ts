import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@watchword/server-testkit/process';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/watched-page';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { startSite, type TestSite } from '@watchword/testkit/site';
import { rolldown } from 'rolldown';
import { codeOf, fileOf } from '../support/guide.ts';
import { type GuidedClient, guidedClient } from '../support/guided-site.ts';
import { persona } from '../support/openid-client.ts';

const guide = 'log-users-in/browser-app.md';

describe('oidc-client-ts, an independent library for browsers, as in the guide', () => {
  let browser: TestBrowser;
  let client: GuidedClient;
  let site: TestSite;
  before(async () => {
    [browser, client] = await Promise.all([openBrowser(), guidedClient(guide)]);
    const [html, script] = [
      client.adapt(htmlOf(guide)),
      await bundled(client.adapt(fileOf(guide, 'app.js'))),
    ];
    site = await startSite(
      ({ url = '' }, response) => {
        const [type, text] = url === '/app.js' ? ['text/javascript', script] : ['text/html', html];
        response.setHeader('content-type', `${type}; charset=utf-8`).end(text);
      },
      undefined,
      client.port,
    );
  });
  after(async () => {
    await Promise.all([browser, site, client].map((each) => each?.[Symbol.asyncDispose]()));
  });

  /** A window in which a user has logged in. */
  async function loggedIn(username: string): Promise<WatchedPage> {
    const watched = await watchedPage(browser, [client.server.service.baseUrl, client.origin]);
    const { page } = watched;
    await page.goto(client.origin);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('User name').fill(username);
    await page.getByLabel('Password').fill(persona);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.locator('#name', { hasText: 'Emma de Vries' }).waitFor();
    return watched;
  }

  /** The user as the library stores it. */
  const stored = async ({ page }: WatchedPage): Promise<Record<string, unknown> | null> =>
    page.evaluate(
      `JSON.parse(sessionStorage['oidc.user:${client.server.service.baseUrl}:${client.clientId}'] ?? 'null')`,
    );

  it('logs a user in by the code flow with PKCE, and reads userinfo', async () => {
    await using watched = await loggedIn('emma');
    const { profile, scope, token_type } = (await stored(watched)) ?? assert.fail();
    const { email, sub } = profile as Record<string, unknown>;
    assert.deepEqual([email, scope, token_type], ['emma@example.org', 'openid profile email', 'bearer']);
    assert.match(String(sub), /^[\w-]{43}$/);
    assert.equal(new URL(watched.page.url()).search, '');
    assert.deepEqual(watched.errors(), []);
  });

  it('renews the access token with a refresh token, which is replaced', async () => {
    await using watched = await loggedIn('anna');
    const before = (await stored(watched)) ?? assert.fail();
    const read = watched.page.waitForResponse((response) => response.url().endsWith('/oauth2/userinfo'));
    await watched.page.getByRole('button', { name: 'Renew' }).click();
    await (await read).finished();
    await watched.page.waitForFunction(isReplaced(before));
    const after = (await stored(watched)) ?? assert.fail();
    for (const name of ['id_token', 'refresh_token']) assert.notEqual(after[name], before[name]);
    assert.deepEqual(watched.errors(), []);
  });

  it('logs the user out of the application and of the server, without a question', async () => {
    await using watched = await loggedIn('ruth');
    const { page } = watched;
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL(`${client.origin}/`);
    assert.equal(await stored(watched), null);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Password').waitFor();
    assert.deepEqual(watched.errors(), []);
  });
});

/** A condition in the page: no stored user has the access token any more. */
function isReplaced({ access_token }: Record<string, unknown>): string {
  return `Object.values(sessionStorage).every((text) => !text.includes(${JSON.stringify(access_token)}))`;
}

function htmlOf(name: string): string {
  return codeOf(name).find(({ language }) => language === 'html')?.code ?? assert.fail();
}

/** The script and its library in one file, as a build tool makes it. */
async function bundled(code: string): Promise<string> {
  await using directory = await temporaryDirectory();
  await symlink(
    fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
    directory.file('node_modules'),
  );
  await writeFile(directory.file('app.js'), code);
  await using build = await rolldown({ input: directory.file('app.js'), logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm' });
  return output[0].code;
}
