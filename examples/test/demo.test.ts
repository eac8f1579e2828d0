import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bin, logged, temporaryDirectory } from '@watchword/server-testkit/process';
import { watchedPage } from '@watchword/server-testkit/watched-page';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = fileURLToPath(new URL('../demo/main.ts', import.meta.url));

/** `npm run demo`, on ports and files of its own, with the command that tests start. */
async function startDemo(database: string) {
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

describe('npm run demo', () => {
  let browser: TestBrowser;
  let demo: Awaited<ReturnType<typeof startDemo>>;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    [browser, demo] = await Promise.all([openBrowser(), startDemo(directory.file('demo.db'))]);
  });
  after(async () => {
    await Promise.all([browser, demo].map((each) => each[Symbol.asyncDispose]()));
    await directory[Symbol.asyncDispose]();
  });

  /** A browser of a person who has signed in to the app. */
  const visit = async (user: string) => {
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
  };

  const callApi = async (token: string, path = '/notes', init: RequestInit = {}) =>
    (await fetch(`${demo.api}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } })).status;

  it('lets a user sign in, consent, keep notes, refresh the token, and revoke it', async () => {
    await using emma = await visit('emma');
    const { page, assertAccessible, screenshot } = emma;
    await page.goto(demo.app);
    await assertAccessible();
    await screenshot('demo-signed-out');
    await emma.signIn();
    await screenshot('demo-consent');
    await emma.allow();
    assert.deepEqual(await emma.notes(), []);
    await page.getByText('Signed in as emma (emma@example.org)').waitFor();
    await emma.add('Buy <b>milk</b>');
    await emma.add('Call Liam');
    assert.deepEqual(await emma.notes(), ['Call Liam', 'Buy <b>milk</b>']);
    await assertAccessible();
    await screenshot('demo-notes');

    const first = emma.token();
    await emma.press('Renew the token');
    await emma.status('A new access token came');
    await emma.press('Reload');
    await emma.status('These are all your notes.');
    assert.notEqual(emma.token(), first);
    assert.deepEqual(await emma.notes(), ['Call Liam', 'Buy <b>milk</b>']);

    assert.equal(await page.evaluate('JSON.stringify([localStorage, sessionStorage])'), '[{},{}]');
    await emma.press('Sign out');
    await emma.status('Signed out');
    assert.ok(await page.getByRole('button', { name: 'Sign in' }).isVisible());
    await refused(emma.token());
    // The login is remembered. Consent is not, for at a loopback address any program may listen.
    await emma.send(page.getByRole('button', { name: 'Sign in' }));
    await emma.allow();
    assert.deepEqual(await emma.notes(), ['Call Liam', 'Buy <b>milk</b>']);
    assert.deepEqual(emma.errors(), []);
  });

  it('shows a user nothing of another user', async () => {
    await using olga = await visit('olga');
    await olga.signIn();
    await olga.allow();
    await olga.add('A note of Olga');
    await using liam = await visit('liam');
    await liam.signIn();
    await liam.allow();
    assert.deepEqual(await liam.notes(), []);
    await liam.add('A note of Liam');
    assert.deepEqual(await liam.notes(), ['A note of Liam']);
    await olga.press('Reload');
    await olga.status('These are all your notes.');
    assert.deepEqual(await olga.notes(), ['A note of Olga']);
  });

  it('makes the API reject the token after the consent is withdrawn, and the application ask for access again', async () => {
    await using vera = await visit('vera');
    await vera.signIn();
    await vera.allow();
    const token = vera.token();
    assert.equal(await callApi(token), 200);
    const account = await vera.page.context().newPage();
    await account.goto(`${demo.watchword}/account`);
    await account.getByRole('button', { name: /Notes App/ }).click();
    await account.getByText('No application').waitFor();
    await refused(token);
    await vera.press('Reload');
    await vera.status('Access has ended or was withdrawn.');
    await vera.screenshot('demo-withdrawn');
    assert.ok(await vera.page.getByRole('button', { name: 'Sign in' }).isVisible());
  });

  it('gives the application only the granted scopes', async () => {
    await using rita = await visit('rita');
    await rita.signIn();
    await rita.page.getByRole('checkbox', { name: 'Add notes for you' }).uncheck();
    await rita.allow();
    await rita.page.getByLabel('New note').fill('not allowed');
    await rita.press('Add');
    await rita.status('You did not allow the app to do this.');
    assert.deepEqual(await rita.notes(), []);
    assert.equal(await callApi(rita.token(), '/statistics'), 403);
  });

  it('shows a user that access was denied, and offers a new start', async () => {
    await using nora = await visit('nora');
    await nora.signIn();
    await nora.press('Deny');
    await nora.page.waitForURL(`${demo.app}/`);
    assert.notEqual(await nora.page.getByRole('status').textContent(), '');
    assert.ok(await nora.page.getByRole('button', { name: 'Sign in' }).isVisible());
  });

  it('ignores a response that the application did not request', async () => {
    await using mallory = await visit('mallory');
    await mallory.page.goto(`${demo.app}/callback?code=of-somebody-else&state=x&iss=${demo.watchword}`);
    await mallory.status('This answer belongs to no request of this tab.');
  });

  it('prevents scripts of other origins from reading the API', async () => {
    const { headers } = await fetch(`${demo.api}/notes`, { headers: { origin: 'http://127.0.0.1:1' } });
    assert.notEqual(headers.get('access-control-allow-origin'), 'http://127.0.0.1:1');
    assert.notEqual(headers.get('access-control-allow-origin'), '*');
  });

  it('has a job that reads statistics with its own client', async () => {
    assert.match(await demo.runJob(), /^The API keeps \d+ notes of \d+ people\.\n$/);
  });

  it('ends everything when it is interrupted, and keeps records and notes for the next start', async () => {
    const before = await demo.runJob();
    const addresses = [demo.app, `${demo.watchword}/healthz`, demo.api];
    for (const address of addresses) await fetch(address);
    assert.equal(await demo.interrupt(), 0);
    for (const address of addresses) await assert.rejects(fetch(address), address);
    demo = await startDemo(directory.file('demo.db'));
    assert.equal(await demo.runJob(), before);
    await using olga = await visit('olga');
    await olga.signIn();
    await olga.allow();
    assert.deepEqual(await olga.notes(), ['A note of Olga']);
  });

  /** Waits until the API refuses the token, which it trusts for two seconds more. */
  async function refused(token: string) {
    for (const end = Date.now() + 30_000; Date.now() < end; ) {
      if ((await callApi(token)) === 401) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.fail('the API still lets the token in');
  }
});
