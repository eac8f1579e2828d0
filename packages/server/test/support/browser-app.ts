import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { codeOf } from '@watchword/server-testkit/processes/guide';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { persona } from './openid-client.ts';

const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

const program = new URL('../../../../examples/browser-app/app.js', import.meta.url);

export const browserAppGuide = 'log-users-in/browser-app.md';

/** Serves the application of the guide. @param adapt replaces the addresses in its files */
export async function browserApp(adapt: (text: string) => string): Promise<RequestListener> {
  const page = codeOf(browserAppGuide).find(({ language }) => language === 'html') ?? assert.fail();
  const html = adapt(page.code);
  const script = await bundled(adapt(await readFile(program, 'utf8')));
  return ({ url = '' }, response) => {
    const [type, text] = url === '/app.js' ? ['text/javascript', script] : ['text/html', html];
    response.setHeader('content-type', `${type}; charset=utf-8`).end(text);
  };
}

/** A user logs in and consents. */
export async function logInAt(page: Page, origin: string, username: string): Promise<void> {
  await page.goto(origin);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(persona);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.locator('#name', { hasText: 'Emma de Vries' }).waitFor();
}

/** What the library stores of a user. */
export interface StoredUser {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token?: string;
  readonly token_type: string;
  readonly scope: string;
  readonly profile: { readonly sub: string; readonly email?: string };
}

/** `null` if no user is logged in. */
export function storedUser(page: Page): Promise<StoredUser | null> {
  return page.evaluate(
    "JSON.parse(Object.entries(sessionStorage).find(([name]) => name.startsWith('oidc.user:'))?.[1] ?? 'null')",
  );
}

/** Presses *Renew*, and resolves with the user when the access token is another one. */
export async function renewed(page: Page, { access_token }: StoredUser): Promise<StoredUser> {
  await page.getByRole('button', { name: 'Renew' }).click();
  const token = JSON.stringify(access_token);
  await page.waitForFunction(
    `Object.entries(sessionStorage).some(([name, text]) => name.startsWith('oidc.user:') && !text.includes(${token}))`,
  );
  return (await storedUser(page)) ?? assert.fail('no user is stored');
}

/** The script and its library in one file, as a build tool makes it. */
async function bundled(code: string): Promise<string> {
  await using directory = await temporaryDirectory();
  await symlink(modules, directory.file('node_modules'));
  await writeFile(directory.file('app.js'), code);
  await using build = await rolldown({ input: directory.file('app.js'), logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm' });
  return output[0].code;
}
