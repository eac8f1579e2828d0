import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/administration';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { furnish } from './support/furnish.ts';

interface App {
  readonly clientId: string;
  readonly secret: string;
}

let browser: TestBrowser;
let server: AdministrationServer;
let visitor: ConsolePage;
let owner: Administering;
let shop: App & { readonly id: number };
let api: { readonly id: number };
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
  owner = await server.person('owner');
  api = await owner.create('/admin/resourceServer', anApi);
  shop = await owner.create(`/admin/resourceServer/${api.id}/client`, {
    ...anApp,
    clientName: 'Book shop',
    redirectUris: ['https://shop.example/cb'],
    useRefreshTokens: true,
  });
  visitor = await consolePage(browser, server);
  await visitor.signIn('root', '/', JSON.stringify({ adminPrincipal: true }));
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

async function grant(username: string, app: App = shop, persona: object = {}): Promise<string> {
  const url = `${server.baseUrl}/authorize?response_type=code&client_id=${app.clientId}`;
  const answers = { username, password: JSON.stringify(persona) };
  const { parameters } = await followFlow(new UserAgent(), url, answers);
  const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
  return (await server.post('/oauth2/token', form, `${app.clientId}:${app.secret}`)).json.refresh_token;
}

const isValid = async (refreshToken: string) => {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return (await server.post('/oauth2/token', form, `${shop.clientId}:${shop.secret}`)).status === 200;
};

const rowOf = (name: string) => visitor.page.getByRole('row', { name }).first();

describe('the access page, for each choice', () => {
  it('shows no state of before in a search whose answer was on its way', async () => {
    const { page } = visitor;
    await grant('lena');
    await visitor.goTo('/access');
    await page.reload();
    await rowOf('lena').waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answered = new Promise<void>((resolve) => {
      void page.route(
        /\/admin\/grant\?.*q=lena/,
        async (route) => {
          const response = await route.fetch();
          resolve();
          await released;
          // The page can have aborted the request.
          await route.fulfill({ response }).catch(() => {});
        },
        { times: 1 },
      );
    });
    await page.getByRole('searchbox').fill('lena');
    await answered;
    await rowOf('lena').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End this access' }).click();
    await page.getByRole('button', { name: 'End access' }).click();
    await page.getByText('has no more access by this grant of lena').waitFor();
    release();
    await page.getByText('No access fits').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('ends all of a client for one person', async () => {
    const { page } = visitor;
    const tokens = [await grant('jane'), await grant('jane')];
    const other = await grant('kim');
    await visitor.goTo('/access?q=jane');
    await rowOf('jane').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End all of Book shop for jane' }).click();
    await page.getByRole('dialog').getByText('2 grants, with every token').waitFor();
    await page.getByRole('button', { name: 'End all', exact: true }).click();
    await page.getByText('No access fits').waitFor();
    assert.deepEqual(await Promise.all(tokens.map(isValid)), [false, false]);
    assert.equal(await isValid(other), true);
  });
});

describe('a user who is not an administrator', () => {
  it('revokes what is their own, without the page of a person', async () => {
    const { page } = visitor;
    await visitor.signIn('hugo', '/tokens', '{}');
    await page.getByRole('link', { name: 'hugo' }).click();
    await page.getByRole('button', { name: 'Revoke everything of this person' }).click();
    await page.getByRole('dialog').getByText('(from any-person)').waitFor();
    await page.getByRole('dialog').getByText('every access and refresh token').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(visitor.errors(), []);
  });

  it('sees the tokens in their own name, and where to revoke the rest', async () => {
    const { page } = visitor;
    await visitor.signIn('seller', '/resource-servers', '{}');
    const { orders, job } = await furnish(server, visitor.token());
    await visitor.goTo(`/resource-servers/${orders.id}/clients/${job.id}`);
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText('As soon as a client gets one in your name').waitFor();
    await page.getByText('the client acts for itself, are not shown').waitFor();
    await visitor.assertAccessible();
    assert.deepEqual(visitor.errors(), []);
  });
});
