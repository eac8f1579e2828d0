import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/process';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type Demo, refused, startDemo, visit } from './support/demo.ts';

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

  it('prevents scripts of other origins from reading the API', async () => {
    const { headers } = await fetch(`${demo.api}/notes`, { headers: { origin: 'http://127.0.0.1:1' } });
    assert.notEqual(headers.get('access-control-allow-origin'), 'http://127.0.0.1:1');
    assert.notEqual(headers.get('access-control-allow-origin'), '*');
  });

  it('has a job that reads statistics with its own client', async () => {
    assert.match(await demo.runJob(), /^The API keeps \d+ notes of \d+ people\.\n$/);
  });

  it('ends everything when it is interrupted', async () => {
    const addresses = [demo.app, `${demo.watchword}/healthz`, demo.api];
    for (const address of addresses) await fetch(address);
    assert.equal(await demo.interrupt(), 0);
    for (const address of addresses) await assert.rejects(fetch(address), address);
  });
});
