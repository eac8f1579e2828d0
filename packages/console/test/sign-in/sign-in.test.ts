import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { slowTest } from '@watchword/testkit';
import { addressOf, type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

const evil = encodeURIComponent('<img src=x onerror="alert(document.domain)">');

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
  // arrive.test.ts holds which answers are ignored, and the first one what becomes of them.
  for (const [test, what, fragment] of [
    [it, 'nobody asked for', `access_token=x&token_type=bearer&expires_in=0&principal=${evil}`],
    [
      slowTest,
      'has the state of another user',
      `access_token=x&token_type=bearer&expires_in=0&state=${evil}`,
    ],
    [slowTest, 'is an error that nobody asked for', `error=${evil}&error_description=${evil}&state=x`],
  ] as const) {
    test(`IM-4: ignores an answer that ${what}: erased, not shown, not used`, async () => {
      const { page } = visitor;
      const requests: string[] = [];
      const note = (request: { url(): string }) => requests.push(request.url());
      page.on('request', note);
      await page.goto('about:blank');
      await page.goto(`${addressOf(server)}#${fragment}`);
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
      assert.equal(page.url(), addressOf(server));
      assert.equal(await page.locator('img[src=x]').count(), 0);
      assert.doesNotMatch(await page.content(), /onerror/);
      assert.deepEqual(
        requests.filter((url) => url.includes('/admin/')),
        [],
      );
      assert.deepEqual(visitor.errors(), []);
      page.off('request', note);
    });
  }

  // arrive.test.ts: "ignores an answer that is of another issuer".
  slowTest('rejects an answer with its own state from another server', async () => {
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

  slowTest(
    'asks for the token of a browser with a login while the other scripts are on their way',
    async () => {
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
    },
  );
});

describe('the administration GUI after a login', () => {
  before(async () => {
    await visitor.page.goto('about:blank');
    await visitor.signIn(newPerson(), '/', plain);
  });

  it('keeps the token in memory only', async () => {
    const { page } = visitor;
    const token = visitor.token();
    assert.match(token, /^wwa_/);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
    );
    assert.ok(!String(kept).includes(token));
    const session = await page.context().newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    const addresses = [page.url(), ...entries.map(({ url }) => url)];
    assert.ok(!addresses.join().includes(token), 'the address bar and the history have lost it');
  });

  slowTest('IM-4: ignores an answer that nobody asked for, and stays on its page', async () => {
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

  it('revokes the token when the window is closed', async () => {
    const token = visitor.token();
    const isActive = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await server.get('/admin/resourceServer', headers)).status === 200;
    };
    assert.ok(await isActive());
    await visitor.page.close({ runBeforeUnload: true });
    while (await isActive()) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
