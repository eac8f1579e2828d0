import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage, assertPageHeaders } from '../support/browser-answers.ts';
import { authorizePath } from '../support/module-server.ts';

/** The links of the page on which users choose, by their texts. */
function linksOf({ html, url }: Page): Map<string, string> {
  const links = html.matchAll(/<a class="choice" href="([^"]+)">[\s\S]*?<bdi>([^<]*)<\/bdi>/g);
  return new Map(
    [...links].map(([, href = '', label = '']) => [label, new URL(href.replaceAll('&amp;', '&'), url).href]),
  );
}

const isChoice = ({ html }: Page) => html.includes('<body class="page-authenticators');
const hasField = ({ forms }: Page, name: string) =>
  forms.some(({ controls }) => controls.some((control) => control.name === name));
const labelsOf = (page: Page) => [...linksOf(page).keys()];

describe('a server with several authenticators', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      authenticators: JSON.stringify([
        'password',
        { module: 'form', as: 'left', label: 'The left door' },
        { module: 'form', as: 'right', label: 'own.unknown <b>' },
        'noop',
      ]),
      consent: 'noop',
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const start = (agent: UserAgent, query = '') => agent.get(`${server.baseUrl}${authorizePath}${query}`);
  const choose = async (agent: UserAgent, label: string, page?: Page) =>
    agent.get(linksOf(page ?? (await start(agent))).get(label) ?? assert.fail(`no link ${label}`));
  const signIn = async (agent: UserAgent, label: string, query = '') =>
    agent.submit(await choose(agent, label, await start(agent, query)), { username: 'emma', password: 'x' });
  const codeOf = ({ location = '' }: Page) => new URL(location).searchParams.get('code');
  const lastOwner = async () => {
    const [event] = await server.service.store.auditEvents.list({ kind: 'logins', limit: 1 });
    return event?.owner;
  };

  it('lets users choose, and names the client', async () => {
    const page = await start(new UserAgent());
    assert.equal(page.status, 200);
    assertPageHeaders(page);
    assert.deepEqual(labelsOf(page), [
      'User name and password',
      'The left door',
      'own.unknown &lt;b&gt;',
      'Without asking, as noop',
    ]);
    assert.match(page.text, /to continue to \S*Demo/i);
    assert.match(page.text, /Not secure: for trying out only/);
  });

  it('uses the language of the browser', async () => {
    assert.match((await start(new UserAgent({ 'accept-language': 'nl' }))).text, /Hoe wil je inloggen\?/);
    assert.match(
      (await start(new UserAgent({ 'accept-language': 'de' }))).text,
      /Wie möchten Sie sich anmelden\?/,
    );
  });

  it('continues with the authenticator that the user chose', async () => {
    const agent = new UserAgent();
    const login = await choose(agent, 'The left door');
    assert.ok(hasField(login, 'username'));
    assert.match(login.text, /accepts every user name/);
    assert.ok(codeOf(await agent.submit(login, { username: 'emma', password: 'x' })));
    assert.doesNotMatch((await choose(new UserAgent(), 'User name and password')).text, /accepts every/);
  });

  it('redirects the user at once where the authenticator has no page', async () => {
    assert.ok(codeOf(await choose(new UserAgent(), 'Without asking, as noop')));
  });

  it('treats users of one name at two instances of a module as two users', async () => {
    await signIn(new UserAgent(), 'The left door');
    const left = await lastOwner();
    await signIn(new UserAgent(), 'own.unknown &lt;b&gt;');
    const right = await lastOwner();
    assert.deepEqual([left?.name, right?.name], ['emma', 'emma']);
    assert.deepEqual([left?.identityProvider, right?.identityProvider], ['left', 'right']);
  });

  it('accepts the session of each authenticator', async () => {
    for (const label of ['The left door', 'own.unknown &lt;b&gt;']) {
      const agent = new UserAgent();
      await signIn(agent, label);
      assert.ok(codeOf(await start(agent)), label);
    }
  });

  it('lets users choose before they see their account, and names the account page', async () => {
    const agent = new UserAgent();
    const page = await agent.get(`${server.service.baseUrl}/account`);
    assert.ok(isChoice(page));
    assert.match(page.text, /to see your account/);
    const login = await choose(agent, 'The left door', page);
    const account = await agent.submit(login, { username: 'emma', password: 'x' });
    assert.match(account.text, /Applications with access/);
  });

  it('leads back from a login to the choice, at an address that Back can show again', async () => {
    const agent = new UserAgent();
    const login = await choose(agent, 'The left door');
    const refused = await agent.submit(login, { username: ' ', password: 'x' });
    assert.equal(refused.status, 400);
    for (const page of [login, refused]) {
      const [, form] = page.forms;
      assert.match(form?.action ?? '', /\/login\/choose$/);
      const fields = Object.fromEntries((form?.controls ?? []).map(({ name, value }) => [name, value]));
      const choice = await agent.post(form?.action ?? '', fields);
      assert.ok(isChoice(choice));
      assert.match(choice.url, /\/login\/choose\?auth_state=/);
      assert.ok(isChoice(await agent.get(choice.url)));
      assert.ok(codeOf(await choose(agent, 'Without asking, as noop', choice)));
      await agent.submit(await agent.get(`${server.baseUrl}/logout`), {});
    }
  });

  it('keeps the request through the choice, with a state of the maximum size', async () => {
    const state = '"'.repeat(4096);
    const agent = new UserAgent();
    const answered = await signIn(agent, 'The left door', `&${new URLSearchParams({ state })}`);
    assert.ok(codeOf(answered));
    assert.equal(new URL(answered.location ?? '').searchParams.get('state'), state);
  });

  it('lists the authenticator of the last login first, by a cookie that no script reads', async () => {
    const agent = new UserAgent();
    await choose(agent, 'own.unknown &lt;b&gt;');
    assert.equal(labelsOf(await start(agent))[0], 'User name and password', 'no user logged in there');
    await signIn(agent, 'own.unknown &lt;b&gt;');
    const cookie = agent.cookies.find(({ name }) => name === 'watchword_authenticator');
    assert.equal(cookie?.value, 'right');
    assert.ok(cookie?.attributes.has('httponly'));
    assert.equal(cookie?.attributes.get('path'), '/');
    const page = await start(agent, '&prompt=login');
    assert.deepEqual(labelsOf(page).slice(0, 2), ['own.unknown &lt;b&gt;', 'User name and password']);
    assert.match(page.text, /Last time/);
    const planted = new UserAgent();
    planted.plantCookie('watchword_authenticator=nobody; Path=/');
    assert.doesNotMatch((await start(planted)).text, /Last time/);
  });

  it('skips the choice when the request names an authenticator, and ignores a name that is not configured', async () => {
    const login = await start(new UserAgent(), '&authenticator_hint=left');
    assert.ok(hasField(login, 'username'));
    assert.ok(hasField(login, 'auth_state'));
    for (const name of ['nobody', 'left%20', '', '__proto__']) {
      assert.ok(isChoice(await start(new UserAgent(), `&authenticator_hint=${name}`)), name);
    }
  });

  it('accepts a choice only from the browser that got the page', async () => {
    const link = linksOf(await start(new UserAgent())).get('The left door') ?? '';
    const other = new UserAgent();
    assertErrorPage(await other.get(link), 403);
    await start(other);
    assertErrorPage(await other.get(link), 400);
    assertErrorPage(await other.get(link.replace(/auth_state=[^&]+/, 'auth_state=x')), 400);
    assertErrorPage(await other.get(`${server.baseUrl}/login/choose`), 403);
    assertErrorPage(await other.post(`${server.baseUrl}/login/choose`, {}), 403);
  });

  it('lets the user choose again when the chosen authenticator is unknown', async () => {
    const agent = new UserAgent();
    const link = linksOf(await start(agent)).get('The left door') ?? '';
    assert.ok(isChoice(await agent.get(link.replace('authenticator=left', 'authenticator=nobody'))));
  });

  it('does not accept the page of the choice as a login', async () => {
    const agent = new UserAgent();
    const link = new URL(linksOf(await start(agent)).get('The left door') ?? '');
    const authState = link.searchParams.get('auth_state') ?? '';
    const fields = { auth_state: authState, username: 'emma', password: 'x' };
    assert.ok(isChoice(await agent.post(`${server.baseUrl}/login`, fields)));
    assert.ok(!agent.cookies.some(({ name }) => name === 'watchword_session'));
  });

  it('names the authenticator in the log of failed logins', async () => {
    const agent = new UserAgent();
    await agent.submit(await choose(agent, 'The left door'), { username: ' ', password: 'x' });
    assert.match(server.log(), /"authenticator":"left"/);
  });
});

describe('a server with one authenticator', () => {
  it('has no page for a choice, and no address for it', async () => {
    for (const settings of [{ authenticator: 'form' }, { authenticators: 'form' }]) {
      await using server = await startServer(settings);
      const login = await new UserAgent().get(`${server.baseUrl}${authorizePath}`);
      assert.ok(hasField(login, 'username'));
      assert.equal(
        login.forms.filter(({ controls }) => controls.some(({ name }) => name === 'password')).length,
        1,
      );
      assert.equal((await server.get('/login/choose')).status, 404);
    }
  });
});

describe('an authenticator that is removed from the list', () => {
  it('ends the sessions of its users, and not those of other users', async () => {
    await using directory = await temporaryDirectory();
    const start = (authenticators: string) =>
      startServer({
        ...{ database: directory.file('x.db'), baseUrl: 'http://localhost:8080', consent: 'noop' },
        authenticators,
      });
    const agents = { form: new UserAgent(), noop: new UserAgent() };
    const isSignedIn = async (server: TestServer, agent: UserAgent) =>
      /Applications with access/.test((await agent.get(`${server.baseUrl}/account`)).text);
    {
      await using server = await start('form,noop');
      const url = `${server.baseUrl}/account`;
      const link = async (agent: UserAgent, name: string) =>
        [...linksOf(await agent.get(url)).values()].find((href) => href.endsWith(name)) ?? '';
      const login = await agents.form.get(await link(agents.form, 'form'));
      await agents.form.submit(login, { username: 'emma', password: 'x' });
      await agents.noop.get(await link(agents.noop, 'noop'));
      assert.ok(await isSignedIn(server, agents.form));
      assert.ok(await isSignedIn(server, agents.noop));
    }
    await using server = await start('form');
    assert.ok(await isSignedIn(server, agents.form));
    assert.ok(!(await isSignedIn(server, agents.noop)));
  });
});

/** A login at another server, at addresses of its own, for each returned `name`. */
const elsewhere = `
export default ({ settings, services }) => ({
  name: 'elsewhere',
  begin: async () => ({
    type: 'redirect',
    location: (authState) =>
      settings.elsewhere + '?' + new URLSearchParams({ state: authState, back: services.endpointUrl('/elsewhere/back') }),
  }),
  async resume(_context, submission) {
    const [name = ''] = submission.get('name') ?? [];
    const isFirst = await services.oneTime.put('login ' + name, '', services.clock.now() + 60_000);
    if (!isFirst) return { type: 'refused', description: 'The name was here before.' };
    return {
      type: 'authenticated',
      identityProvider: settings.elsewhere,
      principal: { name, roles: [], groups: [], adminPrincipal: false, attributes: {} },
      link: { key: 'link ' + name, data: name },
    };
  },
  isConfigured: (identityProvider) => identityProvider === settings.elsewhere,
  logout: async (data) => settings.elsewhere + '?logout=' + data,
  endpoints: [
    {
      path: '/elsewhere/back',
      method: 'GET',
      answer: async ({ parameters, remembered }) =>
        parameters.get('state') === undefined
          ? { type: 'document', contentType: 'text/plain', content: 'remembered: ' + remembered }
          : { type: 'resume', authState: parameters.get('state')[0], submission: parameters, remember: settings.memory },
    },
    {
      path: '/elsewhere/ended',
      method: 'GET',
      answer: async ({ parameters }) => ({ type: 'logout', key: 'link ' + parameters.get('name')?.[0] }),
    },
  ],
});
`;

describe('two instances of a module with addresses of its own', () => {
  const provider = 'http://127.0.0.1:1/login';
  let server: TestServer;
  before(async () => {
    await using directory = await temporaryDirectory();
    const module = directory.file('elsewhere.mjs');
    await writeFile(module, elsewhere);
    server = await startServer({
      authenticators: JSON.stringify([
        { module, as: 'one', options: { elsewhere: provider, memory: 'first' } },
        { module, as: 'two', options: { elsewhere: provider, memory: 'second' } },
        { module, options: { elsewhere: provider, memory: 'third' } },
      ]),
      consent: 'noop',
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const url = (path: string) => `${server.service.baseUrl}${path}`;
  const away = async (agent: UserAgent, name: string) => {
    const { location = '' } = await agent.get(
      url(`${authorizePath}&prompt=login&authenticator_hint=${name}`),
    );
    const { searchParams } = new URL(location);
    return { back: searchParams.get('back') ?? '', state: searchParams.get('state') ?? '' };
  };
  const signIn = async (agent: UserAgent, authenticator: string, name: string) => {
    const { back, state } = await away(agent, authenticator);
    return agent.get(`${back}?${new URLSearchParams({ state, name })}`);
  };
  const isSignedIn = async (agent: UserAgent) =>
    /Applications with access/.test((await agent.get(url('/account'))).text);

  it('have addresses below a name of their own, and that without one those of the module', async () => {
    const agent = new UserAgent();
    assert.equal((await away(agent, 'one')).back, url('/login/one/elsewhere/back'));
    assert.equal((await away(agent, 'two')).back, url('/login/two/elsewhere/back'));
    assert.equal((await away(agent, 'elsewhere')).back, url('/elsewhere/back'));
  });

  it('have users of their own, and results that happen once in each', async () => {
    const owners: (string | undefined)[] = [];
    for (const authenticator of ['one', 'two', 'elsewhere']) {
      const answered = await signIn(new UserAgent(), authenticator, 'emma');
      assert.ok(new URL(answered.location ?? '').searchParams.get('code'), authenticator);
      const [event] = await server.service.store.auditEvents.list({ kind: 'logins', limit: 1 });
      owners.push(event?.owner.identityProvider);
    }
    assert.deepEqual(owners, [`one:${provider}`, `two:${provider}`, provider]);
  });

  it('do not accept logins of each other', async () => {
    const agent = new UserAgent();
    const [one, two] = [await away(agent, 'one'), await away(agent, 'two')];
    const query = (state: string) => new URLSearchParams({ state, name: 'mallory' });
    assertErrorPage(await agent.get(`${two.back}?${query(one.state)}`));
    assertErrorPage(await agent.get(`${one.back}?${query(two.state)}`));
    assert.ok(!(await isSignedIn(agent)));
  });

  it('end only sessions of their own', async () => {
    const [one, two] = [new UserAgent(), new UserAgent()];
    await signIn(one, 'one', 'nora');
    await signIn(two, 'two', 'nora');
    await new UserAgent().get(url('/login/one/elsewhere/ended?name=nora'));
    assert.ok(!(await isSignedIn(one)));
    assert.ok(await isSignedIn(two));
  });

  it('end a session at the identity provider when its user logs out here', async () => {
    const agent = new UserAgent();
    await signIn(agent, 'two', 'owen');
    const ended = await agent.submit(await agent.get(url('/logout')), {});
    assert.match(ended.html, /http:\/\/127\.0\.0\.1:1\/login\?logout=owen/);
  });

  it('keep one cookie each in a browser', async () => {
    const agent = new UserAgent();
    await signIn(agent, 'one', 'petra');
    assert.equal((await agent.get(url('/login/one/elsewhere/back'))).text, 'remembered: first');
    assert.equal((await agent.get(url('/login/two/elsewhere/back'))).text, 'remembered: undefined');
    assert.equal((await agent.get(url('/elsewhere/back'))).text, 'remembered: undefined');
  });
});
