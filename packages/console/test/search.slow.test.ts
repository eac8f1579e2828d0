import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { addClients, addResourceServers } from './support/many-records.ts';
import { assertSentOnce } from './support/typed-search.ts';

describe('a search of each page of the administration GUI', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    // More records than the page reads, so that every search is a request.
    await addResourceServers(server.database, 2100);
    await addClients(server.database, 1, 2100);
    visitor = await consolePage(browser, server);
    await visitor.page.clock.install();
    await visitor.signIn(undefined, '/nowhere');
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  for (const [route, until] of [
    ['/resource-servers', 'Only the first'],
    ['/resource-servers/1', 'Only the first'],
    ['/clients', 'Only the first'],
    ['/tokens', 'Issue a token'],
    ['/access', 'Which clients can act'],
    ['/audit', 'created'],
  ] as const) {
    it(`sends the typed text to the server once, when the user stops typing: ${route}`, () =>
      assertSentOnce(visitor, route, until));
  }
});
