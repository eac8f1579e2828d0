import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { countRows } from '@watchword/server-testkit/servers/sql';
import { slowTest } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage } from '../../support/browser-answers.ts';

/** A server below a path of a shared host, reached over https. */
const shared = { baseUrl: 'https://apps.example/sso', allowInsecureAuthentication: 'true' };

type Cookies = Readonly<Record<'binding' | 'session', string>>;

/** A user logs in, in a browser of their own. */
async function logIn(app: Application, username: string): Promise<Cookies> {
  const agent = new UserAgent();
  const consent = await agent.submit(await app.open({}, agent), { username, password: 'x' });
  assert.ok(consent.text.includes(username));
  const cookie = (part: string) => {
    const found = agent.cookies.find(({ name }) => name.includes(part));
    return `${found?.name}=${found?.value}`;
  };
  return { binding: cookie('_flow'), session: cookie('_session') };
}

function visit(path: string, ...cookies: string[]) {
  return new UserAgent({ cookie: cookies.join('; ') }).get(`${server.baseUrl}${path}`);
}

const asksForLogin = (page: { readonly html: string }) => page.html.includes('name="username"');

let server: TestServer;
let app: Application;
let emma: Cookies;
let mallory: Cookies;
before(async () => {
  server = await startServer(shared);
  app = await registerApplication(server);
  [emma, mallory] = [await logIn(app, 'emma'), await logIn(app, 'mallory')];
});
after(() => server?.[Symbol.asyncDispose]());

describe('a cookie that a sibling host or path has planted', () => {
  it('is rejected beside the real one, in either order and with any value, and ends no session', async () => {
    for (const [name, value] of [
      ['session', mallory.session],
      ['session', `${mallory.session.split('=')[0]}=`],
      ['session', `${mallory.session.split('=')[0]}=garbage`],
      ['binding', mallory.binding],
    ] as const) {
      const other = name === 'session' ? emma.binding : emma.session;
      for (const [order, both] of [
        [value, emma[name]],
        [emma[name], value],
      ].entries()) {
        const all = ['/account', '/logout', new URL(app.authorizeUrl()).pathname.slice(4)];
        for (const path of order === 0 ? all : ['/account']) {
          const page = await visit(`${path}?${new URL(app.authorizeUrl()).searchParams}`, other, ...both);
          assertErrorPage(page, 400);
          assert.match(page.text, /sent one cookie twice/);
          assert.doesNotMatch(page.html, /mallory|emma/);
        }
        for (const form of order === 0 ? ['/login', '/consent', '/account', '/logout'] : ['/consent']) {
          const agent = new UserAgent({ cookie: [other, ...both].join('; ') });
          assertErrorPage(await agent.post(`${server.baseUrl}${form}`, { auth_state: 'x' }), 400);
        }
      }
    }
    const page = await visit('/account', emma.binding, emma.session);
    assert.match(page.text, /emma/);
  });

  it('logs no user in without the binding cookie of the browser of that login', async () => {
    assert.ok(asksForLogin(await visit('/account', mallory.session)));
    assert.ok(asksForLogin(await visit('/account', emma.binding, mallory.session)));
    assert.ok(asksForLogin(await visit('/account', mallory.binding, emma.session)));
    assert.match((await visit('/account', mallory.binding, mallory.session)).text, /mallory/);
    assert.match((await visit('/account', emma.binding, emma.session)).text, /emma/);
  });

  it('ends no session of another user by a login or a logout', async () => {
    const before = await sessions(server);
    const agent = new UserAgent({ cookie: `${mallory.binding}; ${emma.session}` });
    const login = await agent.get(`${server.baseUrl}/account`);
    await agent.submit(login, { username: 'mallory', password: 'x' });
    assert.equal(await sessions(server), before + 1);
    assert.match((await visit('/account', emma.binding, emma.session)).text, /emma/);
  });
});

describe('the cookies of a browser', () => {
  it('can come twice with the same value, because they are not ambiguous then', async () => {
    const { text } = await visit('/account', emma.session, emma.binding, emma.session);
    assert.match(text, /emma/);
  });

  // browser-cookies.test.ts holds it for every cookie.
  slowTest(
    'have other names where one server is below the path of another, so that neither rejects them as planted',
    async () => {
      const names = new Set<string>();
      for (const baseUrl of ['http://localhost', 'http://localhost/auth', 'http://localhost/auth/v2']) {
        await using other = await startServer({ baseUrl });
        const { binding, session } = await logIn(await registerApplication(other), 'emma');
        for (const cookie of [binding, session]) names.add(cookie.split('=')[0] ?? '');
      }
      assert.equal(names.size, 6);
    },
  );

  it('keep a login of a module that shows no form', async () => {
    await using server = await startServer({ authenticator: 'noop' });
    const app = await registerApplication(server);
    const agent = new UserAgent();
    await app.open({}, agent);
    assert.equal(agent.cookies.length, 2);
    const before = await sessions(server);
    await app.open({}, agent);
    await agent.get(`${server.baseUrl}/account`);
    assert.equal(await sessions(server), before);
  });
});

function sessions({ database }: TestServer): Promise<number> {
  return countRows(database, 'login_session');
}
