import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { bin, logged } from '@watchword/server-testkit/processes/process';
import type { TestBrowser } from '@watchword/testkit/browser';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A demo as npm starts it, on ports and files of its own, with the command that tests start. @param ready what it prints then */
export async function startScript(script: string, database: string, ready: RegExp) {
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  const [, , ...args] = scripts[script].split(' ');
  const child = spawn(process.execPath, [...args, '--port', '0', '--database', database, '--bin', bin], {
    cwd: root,
  });
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const printed = (pattern: RegExp) => Promise.race([logged(() => output, pattern), closed]);
  await printed(ready);
  return {
    printed,
    found(pattern: RegExp): string {
      const [, text] = pattern.exec(output) ?? [];
      if (text === undefined) throw new Error(`expected ${pattern} in: ${output}`);
      return text;
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

export type Demo = Awaited<ReturnType<typeof startDemo>>;

export async function startDemo(database: string) {
  const script = await startScript('demo', database, /Ctrl-C ends everything/);
  const { found } = script;
  return {
    app: found(/^ {2}(http:\S+)\/$/m),
    watchword: found(/^ {2}(http:\S+)\/account$/m),
    api: found(/(http:\S+)\/notes$/m),
    /** What the job prints, run by the command that the demo prints. */
    async runJob() {
      const [, ...words] = found(/npx (node .*)$/m).split(' ');
      return (await promisify(execFile)(process.execPath, words, { cwd: root })).stdout;
    },
    interrupt: () => script.interrupt(),
    [Symbol.asyncDispose]: () => script[Symbol.asyncDispose](),
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
