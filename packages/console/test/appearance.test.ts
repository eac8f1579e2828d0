import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { type ConsolePage, type OpenConsole, openConsole } from './support/console-page.ts';
import { furnish } from './support/furnish.ts';
import { everyPlace, type Place, visitPlace } from './support/places.ts';

/** A list, a form and the pages of many columns. The slow file checks all pages in both themes. */
const checkedHere = ['resource-servers', 'client-new', 'access', 'tokens', 'audit'];

describe('the pages of the administration GUI', () => {
  let gui: OpenConsole<TestServer>;
  let server: TestServer;
  let visitor: ConsolePage;
  let places: readonly Place[];
  before(async () => {
    gui = await openConsole(startServer({ authenticator: 'noop-admin' }));
    ({ server, visitor } = gui);
    await visitor.signIn(undefined, '/nowhere');
    places = everyPlace(await furnish(server, visitor.token()));
  });
  after(() => gui[Symbol.asyncDispose]());

  const visit = (name: string) =>
    visitPlace(visitor, places.find((place) => place.name === name) ?? assert.fail(name));

  it('are accessible, make no errors and load nothing external', async () => {
    for (const name of checkedHere) {
      await visit(name);
      await visitor.assertAccessible();
    }
    assert.deepEqual(visitor.errors(), []);
  });

  it('have no motion, and change their colours at once, for users who prefer reduced motion', async () => {
    const { page } = visitor;
    await visit('resource-servers');
    const heading = 'getComputedStyle(document.querySelector("h1 bdi")).color';
    const before = await page.evaluate(heading);
    // Within one turn, before the browser draws.
    const [colour, moving] = await page.evaluate<[string, number]>(
      `document.documentElement.dataset.colorScheme = 'dark'; [${heading}, document.getAnimations().length]`,
    );
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(moving, 0);
    assert.notEqual(colour, before);
    assert.equal(await page.evaluate(heading), colour);
  });
});
