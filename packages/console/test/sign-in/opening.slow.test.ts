import '../support/english.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { commandLineCaller, pageAddresses } from '@watchword/administration';
import { startServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { systemClock, systemRandom } from '../../../server/src/system.ts';
import { answerQuestions, consolePage } from '../support/console-page.ts';
import { assertExplained } from '../support/explained-opening.ts';

describe('the GUI of a server that is known by an address of its own machine', () => {
  let browser: TestBrowser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  it('shows on its own page why it does not open on another machine', () =>
    assertExplained(browser, undefined, {
      title: 'Administration is open on the server itself',
      advice: /known as http:\/\/localhost:\d+\. .*--base-url https:\/\/id\.example$/s,
      picture: 'console-other-machine',
    }));
});

describe('the GUI', () => {
  let browser: TestBrowser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  it('shows on its own page why it does not open over plain http', () =>
    assertExplained(browser, 'http://id.example', {
      title: 'Administration needs https',
      advice: /known as http:\/\/id\.example\..*--base-url https:\/\/id\.example$/s,
      picture: 'console-plain-http',
    }));

  it('logs in at a second address of the server that is permitted, and stays there', async () => {
    await using server = await startServer();
    const { store } = server.service;
    const second = `http://127.0.0.1:${server.port}`;
    assert.notEqual(server.service.baseUrl, second);
    const deps = { ...store, clock: systemClock, random: systemRandom };
    await pageAddresses(deps).add(commandLineCaller('ann'), second);
    await store.refreshRegistry();
    await using visitor = await consolePage(browser, {
      ...server,
      service: { ...server.service, baseUrl: second },
    });
    const { page } = visitor;
    await page.goto(`${second}/client/client.html`);
    await answerQuestions(page, 'emma');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    assert.ok(page.url().startsWith(`${second}/client/client.html`), page.url());
    assert.equal(
      (await server.get('/admin/resourceServer/principal', { authorization: `Bearer ${visitor.token()}` }))
        .json.name,
      'emma',
    );
    assert.deepEqual(visitor.errors(), []);
  });
});
