import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bin, logged } from '@watchword/server-testkit/process';
import { watchedPage } from '@watchword/server-testkit/watched-page';
import type { TestBrowser } from '@watchword/testkit/browser';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const main = fileURLToPath(new URL('../../demo/main.ts', import.meta.url));

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** `npm run demo`, on ports and files of its own, with the command that tests start. */
export async function startDemo(database: string) {
  const args = ['--conditions=source', main, '--port', '0', '--database', database, '--bin', bin];
  const child = spawn(process.execPath, args, { cwd: root });
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await Promise.race([logged(() => output, /Ctrl-C ends everything/), closed]);
  const found = (pattern: RegExp) => {
    const [, text] = pattern.exec(output) ?? [];
    if (text === undefined) throw new Error(`expected ${pattern} in: ${output}`);
    return text;
  };
  return {
    app: found(/^ {2}(http:\S+)\/$/m),
    watchword: found(/^ {2}(http:\S+)\/account$/m),
    api: found(/(http:\S+)\/notes$/m),
    /** What the job prints, run by the command that the demo prints. */
    async runJob() {
      const [, ...words] = found(/npx (node .*)$/m).split(' ');
      return (await promisify(execFile)(process.execPath, words, { cwd: root })).stdout;
    },
    /** Ends it as Ctrl-C does; resolves with its exit code. */
    async interrupt() {
      child.kill('SIGINT');
      await closed;
      return child.exitCode;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) await this.interrupt();
    },
  };
}

/** A browser of a person who has signed in to the app. */
export async function visit(browser: TestBrowser, demo: Demo, user: string) {
  const visitor = await watchedPage(browser, [demo.app, demo.watchword, demo.api]);
  const { page } = visitor;
  const tokens: string[] = [];
  page.on('request', (request) => {
    const token = request.headers().authorization?.replace('Bearer ', '');
    if (request.url().startsWith(demo.api) && token !== undefined) tokens.push(token);
  });
  const status = (text: string) => page.getByRole('status').getByText(text).waitFor();
  const press = (name: string) => page.getByRole('button', { name }).click();
  return {
    ...visitor,
    status,
    press,
    notes: () => page.getByRole('listitem').allTextContents(),
    /** The access token that the app used last. */
    token: () => tokens.at(-1) ?? '',
    async signIn() {
      await page.goto(demo.app);
      await press('Sign in');
      await page.getByLabel('User name').fill(user);
      await page.getByLabel('Password').fill('secret');
      await visitor.send(page.getByRole('button', { name: 'Sign in' }));
    },
    async allow() {
      await press('Allow');
      await page.waitForURL(`${demo.app}/`);
      await status('Signed in.');
    },
    async add(text: string) {
      await page.getByLabel('New note').fill(text);
      await press('Add');
      await status('Added.');
    },
  };
}

/** The status that the API answers to a token. */
export async function callApi(
  { api }: Demo,
  token: string,
  path = '/notes',
  method = 'GET',
): Promise<number> {
  return (await fetch(`${api}${path}`, { method, headers: { authorization: `Bearer ${token}` } })).status;
}

/** Waits until the API refuses the token, which it trusts for two seconds more. */
export async function refused(demo: Demo, token: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    if ((await callApi(demo, token)) === 401) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the API still lets the token in');
}
