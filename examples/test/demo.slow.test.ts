import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { callApi, type Demo, refused, startDemo, visit } from './support/demo.ts';

describe('npm run demo', () => {
  let browser: TestBrowser;
  let demo: Demo;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    [browser, demo] = await Promise.all([openBrowser(), startDemo(directory.file('demo.db'))]);
  });
  after(async () => {
    await Promise.all([browser, demo].map((each) => each[Symbol.asyncDispose]()));
    await directory[Symbol.asyncDispose]();
  });

  it('lets a user sign in, consent, keep notes, refresh the token, and revoke it', async () => {
    await using emma = await visit(browser, demo, 'emma');
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
    await refused(demo, emma.token());
    // The login is remembered. Consent is not, for at a loopback address any program may listen.
    await emma.send(page.getByRole('button', { name: 'Sign in' }));
    await emma.allow();
    assert.deepEqual(await emma.notes(), ['Call Liam', 'Buy <b>milk</b>']);
    assert.deepEqual(emma.errors(), []);
  });

  it('removes all notes of a user who has signed in just now', async () => {
    await using olga = await visit(browser, demo, 'olga');
    await olga.signIn();
    await olga.allow();
    await olga.add('Not for ever');
    assert.equal(await callApi(demo, olga.token(), '/notes', 'DELETE'), 204);
    await olga.press('Reload');
    await olga.status('These are all your notes.');
    assert.deepEqual(await olga.notes(), []);
  });

  it('prevents scripts of other origins from reading the API', async () => {
    const { headers } = await fetch(`${demo.api}/notes`, { headers: { origin: 'http://127.0.0.1:1' } });
    assert.notEqual(headers.get('access-control-allow-origin'), 'http://127.0.0.1:1');
    assert.notEqual(headers.get('access-control-allow-origin'), '*');
  });

  it('has a job that reads statistics with its own client', async () => {
    assert.match(await demo.runJob(), /^The API keeps \d+ notes of \d+ people\.\n$/);
  });

  it('shows a user nothing of another user', async () => {
    await using olga = await visit(browser, demo, 'olga');
    await olga.signIn();
    await olga.allow();
    await olga.add('A note of Olga');
    await using liam = await visit(browser, demo, 'liam');
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
    await using vera = await visit(browser, demo, 'vera');
    await vera.signIn();
    await vera.allow();
    const token = vera.token();
    assert.equal(await callApi(demo, token), 200);
    const account = await vera.page.context().newPage();
    await account.goto(`${demo.watchword}/account`);
    await account.getByRole('link', { name: /Notes App/ }).click();
    await account.getByRole('button', { name: 'Remove access' }).click();
    await account.getByText('No application').waitFor();
    await refused(demo, token);
    await vera.press('Reload');
    await vera.status('Access has ended or was withdrawn.');
    await vera.screenshot('demo-withdrawn');
    assert.ok(await vera.page.getByRole('button', { name: 'Sign in' }).isVisible());
  });

  it('gives the application only the granted scopes', async () => {
    await using rita = await visit(browser, demo, 'rita');
    await rita.signIn();
    await rita.page.getByRole('checkbox', { name: 'Add notes for you' }).uncheck();
    await rita.allow();
    await rita.page.getByLabel('New note').fill('not allowed');
    await rita.press('Add');
    await rita.status('You did not allow the app to do this.');
    assert.deepEqual(await rita.notes(), []);
    assert.equal(await callApi(demo, rita.token(), '/statistics'), 403);
  });

  it('shows a user that access was denied, and offers a new start', async () => {
    await using nora = await visit(browser, demo, 'nora');
    await nora.signIn();
    await nora.press('Deny');
    await nora.page.waitForURL(`${demo.app}/`);
    assert.notEqual(await nora.page.getByRole('status').textContent(), '');
    assert.ok(await nora.page.getByRole('button', { name: 'Sign in' }).isVisible());
  });

  it('ignores a response that the application did not request', async () => {
    await using mallory = await visit(browser, demo, 'mallory');
    await mallory.page.goto(`${demo.app}/callback?code=of-somebody-else&state=x&iss=${demo.watchword}`);
    await mallory.status('This answer belongs to no request of this tab.');
  });

  it('keeps records and notes for the next start', async () => {
    const before = await demo.runJob();
    assert.equal(await demo.interrupt(), 0);
    demo = await startDemo(directory.file('demo.db'));
    assert.equal(await demo.runJob(), before);
    await using olga = await visit(browser, demo, 'olga');
    await olga.signIn();
    await olga.allow();
    assert.deepEqual(await olga.notes(), ['A note of Olga']);
  });

  it('ends everything when it is interrupted', async () => {
    const addresses = [demo.app, `${demo.watchword}/healthz`, demo.api];
    for (const address of addresses) await fetch(address);
    assert.equal(await demo.interrupt(), 0);
    for (const address of addresses) await assert.rejects(fetch(address), address);
  });
});
