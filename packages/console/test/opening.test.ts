import './support/english.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { commandLineCaller, pageAddresses } from '@watchword/administration';
import { startServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { systemClock, systemRandom } from '../../server/src/system.ts';
import { opening } from '../src/opening.ts';
import { answerQuestions, consolePage } from './support/console-page.ts';
import { assertExplained } from './support/explained-opening.ts';

describe('the address under which the GUI is opened', () => {
  const here = 'https://id.example/auth';

  it('is used for the login when it is the base URL of the server, or permitted beside it', () => {
    assert.equal(opening(here, here, []).type, 'begin');
    assert.equal(opening('https://second.example', here, ['https://second.example']).type, 'begin');
    assert.equal(opening('http://localhost:8080', 'http://localhost:8080', []).type, 'begin');
  });

  it('redirects to the base URL of the server otherwise', () => {
    const address = `${here}/client/client.html`;
    for (const other of ['https://other.example/auth', 'http://id.example', 'http://10.0.0.1:8080']) {
      assert.deepEqual(opening(other, here, []), { type: 'go', address });
    }
    assert.equal(opening('http://127.0.0.1:8080', 'http://localhost:8080', []).type, 'go');
  });

  it('rejects plain http, and another machine when the server has a loopback address', () => {
    for (const [from, issuer, reason] of [
      ['http://id.example', 'http://id.example', 'insecure'],
      ['http://localhost:8080', 'http://id.example', 'insecure'],
      ['http://10.0.0.1:8080', 'http://localhost:8080', 'local'],
      ['https://id.example', 'http://127.0.0.1:8080', 'local'],
    ] as const) {
      const found = opening(from, issuer, []);
      assert.ok(found.type === 'explain', from);
      assert.equal(found.reason, reason);
    }
  });
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
