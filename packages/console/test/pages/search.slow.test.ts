import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';
import { addClients, addResourceServers } from '../support/many-records.ts';
import { assertSentOnce } from '../support/typed-search.ts';

describe('a search of each page of the administration GUI', () => {
  let gui: OpenConsole<TestServer>;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openConsole(startServer({ authenticator: 'noop-admin' }));
    ({ server, visitor } = gui);
    // More records than the page reads, so that every search is a request.
    await addResourceServers(server.database, 2100);
    await addClients(server.database, 1, 2100);
    await visitor.page.clock.install();
    await visitor.signIn(undefined, '/nowhere');
  });
  after(() => gui[Symbol.asyncDispose]());

  for (const [route, until] of [
    ['/resource-servers', 'Only the first'],
    ['/resource-servers/1', 'Only the first'],
    ['/clients', 'Only the first'],
    ['/tokens', 'Issue a token'],
    ['/access', 'What people have granted'],
    ['/audit', 'created'],
  ] as const) {
    it(`sends the typed text to the server once, when the user stops typing: ${route}`, () =>
      assertSentOnce(visitor, route, until));
  }
});
