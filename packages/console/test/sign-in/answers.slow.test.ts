import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { addressOf, type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';
import { assertIgnored, evil } from '../support/ignored-answer.ts';

/** The attributes of most people: none. */
const plain = '{}';

let gui: OpenConsole<AdministrationServer>;
let server: AdministrationServer;
let visitor: ConsolePage;
before(async () => {
  gui = await openConsole(startAdministration());
  ({ server, visitor } = gui);
});
after(() => gui[Symbol.asyncDispose]());

let people = 0;
const newPerson = () => {
  people += 1;
  return `person-${people}`;
};

describe('the login to the administration GUI', () => {
  for (const [what, fragment] of [
    ['has the state of another user', `access_token=x&token_type=bearer&expires_in=0&state=${evil}`],
    ['is an error that nobody asked for', `error=${evil}&error_description=${evil}&state=x`],
  ] as const) {
    it(`IM-4: ignores an answer that ${what}: erased, not shown, not used`, () =>
      assertIgnored(server, visitor, fragment));
  }

  it('rejects an answer with its own state from another server', async () => {
    const { page } = visitor;
    await page.route('**/authorize?*', async (route) => {
      const state = new URL(route.request().url()).searchParams.get('state');
      const answer = `access_token=x&token_type=bearer&expires_in=0&state=${state}&iss=https://evil.example`;
      await route.fulfill({ status: 303, headers: { location: `${addressOf(server)}#${answer}` } });
    });
    await page.goto('about:blank');
    await page.goto(addressOf(server));
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.unroute('**/authorize?*');
  });

  it('asks for the token of a browser with a login while the other scripts are on their way', async () => {
    const { page } = visitor;
    await visitor.signIn(newPerson(), '/', plain);
    await page.goto('about:blank');
    const later = Promise.withResolvers<void>();
    await page.route(/\/assets\/(?!first-).*\.js$/, async (route) => {
      await later.promise;
      await route.continue();
    });
    const issued = page.waitForResponse((response) => response.url().endsWith('/oauth2/token'));
    await page.goto(addressOf(server), { waitUntil: 'commit' });
    assert.equal((await issued).status(), 200);
    later.resolve();
    await page.locator('.signed-in').waitFor();
    await page.unrouteAll();
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('the administration GUI after a login', () => {
  before(async () => {
    await visitor.page.goto('about:blank');
    await visitor.signIn(newPerson(), '/', plain);
  });

  it('IM-4: ignores an answer that nobody asked for, and stays on its page', async () => {
    await visitor.goTo('/clients');
    await visitor.page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor();
    const before = visitor.token();
    await visitor.goTo(`access_token=x&token_type=bearer&expires_in=0&principal=${evil}`);
    await visitor.page.waitForURL('**/client.html#/clients');
    await visitor.goTo('/tokens');
    await visitor.page.getByText('No valid token').or(visitor.page.getByRole('table')).first().waitFor();
    assert.equal(visitor.token(), before);
    assert.deepEqual(visitor.errors(), []);
  });
});
