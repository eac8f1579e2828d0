import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { ResourceServer } from '@watchword/protocol';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertPageHeaders } from '../support/browser-answers.ts';
import { authorizePath, moduleServer } from '../support/module-server.ts';

/**
 * A login at another server, in one file. `begin` redirects the browser to a choice, the choice redirects to the
 * provider, and the provider posts its answer to an address of the module. That post has no cookies: it is cross-site.
 */
const elsewhere = `
const provider = 'http://127.0.0.1:1/sso';
let results = 0;
export default ({ services, settings }) => ({
  name: 'elsewhere',
  texts: { en: { 'elsewhere.stranger.title': 'Who is {name}?', 'elsewhere.stranger.advice': 'Ask {name}.' } },
  begin: async (context) => ({
    type: 'redirect',
    brief: true,
    state: { isFresh: context.isFresh },
    location: (handle) => services.baseUrl + '/elsewhere/choose?auth_state=' + handle,
  }),
  resume: async (context, submission) => {
    const of = (name) => submission.get(name)?.[0];
    if (of('choice') !== undefined) {
      const step = { brief: true, state: { chosen: of('choice'), ...context.state } };
      return settings.post
        ? { ...step, type: 'post', location: provider, fields: (handle) => ({ to: of('choice'), state: handle }) }
        : { ...step, type: 'redirect', location: async (handle) => provider + '?state=' + handle };
    }
    const name = await services.oneTime.take(of('result'), services.clock.now());
    if (name === undefined) return { type: 'refused', description: 'The result was picked up before.' };
    const { chosen, isFresh } = context.state;
    const attributes = { chosen, isFresh: String(isFresh) };
    return {
      type: 'authenticated',
      identityProvider: chosen,
      principal: { name, roles: [], groups: [], adminPrincipal: false, attributes },
      link: { key: 'elsewhere ' + name, data: chosen },
    };
  },
  isConfigured: (identityProvider) => ['a', 'b'].includes(identityProvider),
  logout: async (data) => (data === 'a' ? 'http://127.0.0.1:1/slo?of=' + data : undefined),
  endpoints: [
    {
      path: '/elsewhere/choose',
      method: 'GET',
      async answer({ parameters, remembered, language }) {
        const [authState = ''] = parameters.get('auth_state') ?? [];
        const [choice] = parameters.get('choice') ?? [];
        const submission = new Map([['choice', [choice]]]);
        if (choice !== undefined) return { type: 'resume', authState, submission, remember: choice };
        const [query = ''] = parameters.get('q') ?? [];
        const all = ['a', 'b'].map((value) => ({ value, name: language + ' ' + value, picture: '' }));
        const choices = all.filter(({ value }) => value.includes(query));
        const last = all.find(({ value }) => value === remembered);
        return { type: 'choice', authState, query, choices, matches: choices.length, ...(last && { last }) };
      },
    },
    {
      path: '/elsewhere/back',
      method: 'POST',
      bodyLimit: 100 * 1024,
      async answer({ parameters }) {
        const name = (parameters.get('name')?.[0] ?? '').slice(0, 100);
        const result = 'result ' + (results += 1);
        await services.oneTime.put(result, name, services.clock.now() + 60_000);
        const query = new URLSearchParams({ auth_state: parameters.get('state')?.[0], result });
        return { type: 'redirect', location: services.baseUrl + '/elsewhere/resume?' + query };
      },
    },
    {
      path: '/elsewhere/resume',
      method: 'GET',
      async answer({ parameters }) {
        return { type: 'resume', authState: parameters.get('auth_state')?.[0] ?? '', submission: parameters };
      },
    },
    {
      path: '/elsewhere/about.xml',
      method: 'GET',
      answer: async ({ query }) => ({ type: 'document', contentType: 'application/xml', content: '<a>' + query + '</a>' }),
    },
    {
      path: '/elsewhere/ended',
      method: 'GET',
      async answer({ parameters }) {
        const [name] = parameters.get('name') ?? [];
        if (name === undefined) return { type: 'logout' };
        return {
          type: 'logout',
          key: 'elsewhere ' + name,
          isMeant: (data) => data === parameters.get('of')?.[0],
          location: 'http://127.0.0.1:1/ended',
        };
      },
    },
  ],
});
`;

const withModule = (source: string, settings: Record<string, unknown> = {}) =>
  moduleServer('authenticator', source, { authenticatorOptions: JSON.stringify(settings) });

/** The server of the tests that need no other module and no settings of it. */
let server: TestServer;
before(async () => {
  server = await withModule(elsewhere);
});
after(() => server[Symbol.asyncDispose]());

/** The post of the provider: from another site, so without cookies. */
function fromProvider({ service }: TestServer, state: string, name: string): Promise<Response> {
  return fetch(`${service.baseUrl}/elsewhere/back`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ state, name }),
  });
}

const stateOf = (page: Page) => new URL(page.location ?? '').searchParams.get('state') ?? '';

/** The address of the first link to a choice. */
function choose(server: TestServer, page: Page, value: string): string {
  const links = [...page.html.matchAll(/<a class="choice" href="([^"]+)">/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  const link = links.find((href) => href.endsWith(`choice=${value}`)) ?? '';
  return new URL(link, server.service.baseUrl).href;
}

/** Opens an authorization request, chooses, and follows the redirect to the provider. */
async function toProvider(
  server: TestServer,
  agent: UserAgent,
  path = authorizePath,
  value = 'a',
): Promise<Page> {
  return agent.get(choose(server, await agent.get(`${server.service.baseUrl}${path}`), value));
}

async function signIn(
  server: TestServer,
  agent: UserAgent,
  name: string,
  path = authorizePath,
): Promise<Page> {
  const back = await fromProvider(server, stateOf(await toProvider(server, agent, path)), name);
  return agent.get(back.headers.get('location') ?? '');
}

describe('a module with addresses of its own', () => {
  it('lets users choose, sends them to another server with a short handle, and accepts their return from there', async () => {
    const agent = new UserAgent({ 'accept-language': 'nl' });
    const choice = await agent.get(`${server.service.baseUrl}${authorizePath}`);
    assert.equal(choice.status, 200);
    assertPageHeaders(choice);
    assert.match(choice.text, /nl a .*nl b/);
    assert.match(choice.text, /Demo app|demo/i);
    const found = await agent.submit(choice, { q: 'b' });
    assert.doesNotMatch(found.text, /nl a/);
    const away = await agent.get(choose(server, found, 'b'));
    assert.match(stateOf(away), /^[0-9a-f-]{36}$/);
    const back = await fromProvider(server, stateOf(away), 'emma');
    assert.equal(back.status, 303);
    assert.equal(back.headers.get('set-cookie'), null);
    const end = await agent.get(back.headers.get('location') ?? '');
    assert.ok(new URL(end.location ?? '').searchParams.has('code'), end.text);
    assert.deepEqual(
      agent.cookies.map(({ name }) => name).filter((name) => name.includes('waiting_')).length,
      1,
      'that of the choice, which expires; that of the login is used up',
    );
    const account = await agent.get(`${server.service.baseUrl}/account`);
    assert.match(account.text, /emma/);
  });

  it('gets the request that waits when the browser opens the address of a step by itself', async () => {
    const at = (path: string) => `${server.service.baseUrl}${path}`;
    const agent = new UserAgent();
    await toProvider(server, agent, `${authorizePath}&state=of-the-first`);
    await toProvider(server, agent, `${authorizePath}&state=of-the-last`);
    for (const path of ['/login', '/consent', '/select', '/again', '/switch']) {
      const resumed = await agent.get(at(path));
      assert.match(resumed.text, /en a .*en b/, path);
      const away = await agent.get(choose(server, resumed, 'a'));
      assert.equal(new URL(away.location ?? '').origin, 'http://127.0.0.1:1');
    }
    const away = await agent.get(choose(server, await agent.get(at('/consent')), 'a'));
    const back = await fromProvider(server, stateOf(away), 'emma');
    const end = await agent.get(back.headers.get('location') ?? '');
    assert.equal(new URL(end.location ?? '').searchParams.get('state'), 'of-the-last');
    // The cookies of one browser are no request of another.
    const stolen = agent.cookies.filter(({ name }) => name.includes('waiting_'));
    const cookie = stolen.map(({ name, value }) => `${name}=${value}`).join('; ');
    assert.match((await new UserAgent({ cookie }).get(at('/consent'))).text, /Go back to the application/);
  });

  it('remembers what was chosen, in a cookie that no script reads', async () => {
    const agent = new UserAgent();
    await toProvider(server, agent);
    const again = await agent.get(`${server.service.baseUrl}${authorizePath}`);
    assert.match(again.html, /Last time[\s\S]*choice=a[\s\S]*role="search"/);
    const cookie = agent.cookies.find(({ name }) => name === 'watchword_choice');
    assert.ok(cookie?.attributes.has('httponly'));
    assert.equal(cookie?.attributes.get('max-age'), '31536000');
  });

  it('remembers no choice of a request that another site made', async () => {
    const agent = new UserAgent();
    for (const state of ['', 'x', stateOf(await toProvider(server, new UserAgent()))]) {
      const query = new URLSearchParams({ auth_state: state, choice: 'b' });
      const page = await agent.get(`${server.service.baseUrl}/elsewhere/choose?${query}`);
      assert.ok([400, 403].includes(page.status), page.text);
      assert.deepEqual(agent.cookies, []);
    }
  });

  it('rejects a handle of another browser, and one that the server did not issue', async () => {
    const [emma, mallory] = [new UserAgent(), new UserAgent()];
    const away = await toProvider(server, mallory);
    await toProvider(server, emma);
    for (const state of [stateOf(away), '019b76da-a800-7000-8000-000000000000', 'https://evil.example', '']) {
      const back = await fromProvider(server, state, `mallory ${state}`);
      const end = await emma.get(back.headers.get('location') ?? '');
      assert.ok([400, 403].includes(end.status), end.text);
      assert.ok(!emma.cookies.some(({ name }) => name === 'watchword_session'));
    }
  });

  it('gets a one-time value once', async () => {
    const agent = new UserAgent();
    const back = await fromProvider(server, stateOf(await toProvider(server, agent)), 'emma');
    const location = back.headers.get('location') ?? '';
    const other = new UserAgent();
    const state = stateOf(await toProvider(server, other));
    assert.ok(new URL((await agent.get(location)).location ?? '').searchParams.has('code'));
    const second = await other.get(location.replace(/auth_state=[^&]+/, `auth_state=${state}`));
    assert.equal(new URL(second.location ?? '').searchParams.get('error'), 'access_denied');
  });

  it('keeps several logins of one browser apart, and drops the oldest before the headers become too large', async () => {
    const agent = new UserAgent();
    const state = 'x'.repeat(1500);
    const states: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      states.push(stateOf(await toProvider(server, agent, `${authorizePath}&state=${state}${count}`)));
    }
    const bytes = agent.cookies.map(({ name, value }) => name.length + value.length + 3);
    assert.ok(bytes.reduce((sum, each) => sum + each, 0) < 12_000);
    const resume = async (index: number) => {
      const back = await fromProvider(server, states[index] ?? '', `emma ${index}`);
      return agent.get(back.headers.get('location') ?? '');
    };
    const last = await resume(9);
    assert.equal(new URL(last.location ?? '').searchParams.get('state'), `${state}9`);
    assert.equal((await resume(0)).status, 400);
  });

  it('waits in as many cookies as the largest request needs, at most three, and removes them', async () => {
    const waiting = (agent: UserAgent) => agent.cookies.filter(({ name }) => name.includes('waiting_'));
    for (const [state, count] of [
      ['"'.repeat(100), 1],
      ['x'.repeat(4000), 2],
      ['"'.repeat(4096), 2],
      ['\u0001\\'.repeat(2048), 2],
    ] as const) {
      const agent = new UserAgent();
      const query = new URLSearchParams({ state, unknown: 'y'.repeat(1700) });
      const away = await toProvider(server, agent, `${authorizePath}&${query}`);
      assert.match(stateOf(away), /^[0-9a-f-]{36}$/);
      const ofLast = waiting(agent).filter(({ name }) => name.includes(stateOf(away)));
      assert.equal(ofLast.length, count);
      for (const { name, value } of waiting(agent)) assert.ok(name.length + value.length < 4096 - 80);
      const back = await fromProvider(server, stateOf(away), `emma of ${state.slice(0, 2)} ${count}`);
      const end = await agent.get(back.headers.get('location') ?? '');
      const answer = new URL(end.location ?? '').searchParams;
      assert.equal(answer.get('state'), state);
      assert.ok(answer.has('code'));
      assert.deepEqual(
        waiting(agent).filter(({ name }) => name.includes(stateOf(away))),
        [],
      );
    }
  });

  it('does not lock out a browser that started many large requests at once', async () => {
    const agent = new UserAgent();
    const begin = (state: string) => agent.get(`${server.baseUrl}${authorizePath}&state=${state}`);
    await Promise.all(Array.from({ length: 12 }, () => begin('x'.repeat(4000))));
    const refused = await begin('again');
    assert.equal(refused.status, 431);
    assert.match(refused.headers.get('content-type') ?? '', /^text\/html/);
    const away = await toProvider(server, agent, `${authorizePath}&state=again`);
    const back = await fromProvider(server, stateOf(away), 'emma after all');
    const end = await agent.get(back.headers.get('location') ?? '');
    assert.ok(new URL(end.location ?? '').searchParams.has('code'), end.text);
  });

  it('has room for a state of its own beside the largest request and the largest registration', async () => {
    const entityId = `https://idp.example/${'e'.repeat(1000)}`;
    await using server = await withModule(
      elsewhere.replaceAll('chosen: of(', `kept: '${entityId}', chosen: of(`),
    );
    const scopes = Array.from({ length: 100 }, (_, index) => `scope-${index}-${'s'.repeat(200)}`);
    const redirectUri = `https://app.example/${'r'.repeat(1900)}`;
    const { store } = server.service;
    const [api] = await store.resourceServers.list({ limit: 1 });
    await store.resourceServers.update(api?.id ?? 0, { ...(api as ResourceServer), scopes });
    const { client } = await registerClient(server, { redirectUris: [redirectUri], scopes });
    const state = '\\'.repeat(4096);
    const rest = { response_type: 'code', client_id: client.clientId, state };
    for (const more of [{}, { scope: scopes.slice(0, 7).join(' ') }]) {
      const agent = new UserAgent();
      const query = new URLSearchParams({ ...rest, ...more });
      const end = await signIn(server, agent, `emma ${JSON.stringify(more)}`, `/authorize?${query}`);
      assert.ok(end.location?.startsWith(redirectUri), end.text);
      const answer = new URL(end.location ?? '').searchParams;
      assert.equal(answer.get('state'), state);
      assert.ok(answer.has('code'));
    }
  });

  it('is an error for the client when its state is too large for the cookies', async () => {
    await using server = await withModule(
      elsewhere.replace('state: { isFresh', "state: { kept: 'x'.repeat(9000), isFresh"),
    );
    const end = await new UserAgent().get(`${server.service.baseUrl}${authorizePath}`);
    const answer = new URL(end.location ?? '').searchParams;
    assert.equal(answer.get('error'), 'invalid_request');
    assert.match(answer.get('error_description') ?? '', /too long for a login at another server/);
  });

  it('gets a handle in place of a long state, even where it did not ask for one', async () => {
    await using server = await withModule(elsewhere.replaceAll('brief: true', 'brief: false'));
    for (const [state, pattern] of [
      ['x'.repeat(100), /^[\w.-]{200,}$/],
      ['x'.repeat(4096), /^[0-9a-f-]{36}$/],
    ] as const) {
      const agent = new UserAgent();
      const away = await toProvider(server, agent, `${authorizePath}&state=${state}`);
      assert.match(stateOf(away), pattern);
      const back = await fromProvider(server, stateOf(away), `emma ${state.length}`);
      const end = await agent.get(back.headers.get('location') ?? '');
      const answer = new URL(end.location ?? '').searchParams;
      assert.equal(answer.get('state'), state);
      assert.ok(answer.has('code'));
    }
  });

  it('learns that the client wants a new login', async () => {
    for (const [query, isFresh] of [
      ['', 'false'],
      ['&prompt=login', 'true'],
      ['&max_age=0', 'true'],
    ] as const) {
      const agent = new UserAgent();
      const end = await signIn(server, agent, `emma${query}`, `${authorizePath}${query}`);
      const code = new URL(end.location ?? '').searchParams.get('code') ?? '';
      const token = await server.post(
        '/oauth2/token',
        { grant_type: 'authorization_code', code },
        'demo-app:demo-app-client-secret',
      );
      const { json } = await server.post(
        '/v1/tokeninfo',
        { access_token: token.json.access_token },
        'demo-resource-server:demo-resource-server-secret',
      );
      assert.equal(json.principal.attributes.isFresh, isFresh);
    }
  });

  it('can have the browser post a form to another server, from where the policy of the page permits redirects', async () => {
    await using server = await withModule(elsewhere, { post: true });
    const page = await toProvider(server, new UserAgent());
    assert.equal(page.status, 200);
    const [form] = page.forms;
    assert.equal(form?.action, 'http://127.0.0.1:1/sso');
    assert.equal(form?.method, 'POST');
    const state = form?.controls.find(({ name }) => name === 'state')?.value ?? '';
    assert.match(state, /^[0-9a-f-]{36}$/);
    assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' http:;/);
  });

  it('answers documents with its type, and any other method of its addresses with 405', async () => {
    const about = await server.get('/elsewhere/about.xml?a=%2F&b');
    assert.equal(about.headers.get('content-type'), 'application/xml');
    assert.equal(about.text, '<a>a=%2F&b</a>');
    for (const [path, method, allow] of [
      ['/elsewhere/back', 'GET', 'POST'],
      ['/elsewhere/choose', 'POST', 'GET'],
      ['/elsewhere/choose', 'HEAD', 'GET'],
      ['/elsewhere/resume', 'HEAD', 'GET'],
    ] as const) {
      const answer = await fetch(`${server.service.baseUrl}${path}`, { method });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), allow);
    }
  });

  it('accepts bodies of the size that it names, and changes no other limit', async () => {
    const body = (bytes: number) => `state=x&name=${'x'.repeat(bytes)}`;
    const post = (path: string, bytes: number) =>
      fetch(`${server.service.baseUrl}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: body(bytes),
      });
    assert.equal((await post('/elsewhere/back', 90_000)).status, 303);
    assert.equal((await post('/elsewhere/back', 110_000)).status, 413);
    assert.equal((await post('/login', 90_000)).status, 413);
  });
});

describe('a session that is linked to one at an identity provider', () => {
  it('ends at the identity provider too, by a page that leads there', async () => {
    const agent = new UserAgent();
    await signIn(server, agent, 'emma');
    const logout = await agent.get(`${server.service.baseUrl}/logout`);
    const forward = await agent.submit(logout, { auth_state: logout.forms[0]?.controls[0]?.value ?? '' });
    assertPageHeaders(forward);
    assert.match(forward.html, /id="forward" href="http:\/\/127\.0\.0\.1:1\/slo\?of=a"/);
    assert.match((await agent.get(`${server.service.baseUrl}/account`)).html, /role="search"/);
  });

  it('ends at this server when the module throws an error', async () => {
    const failing = elsewhere.replace(
      "logout: async (data) => (data === 'a' ? 'http://127.0.0.1:1/slo?of=' + data : undefined)",
      "logout: async () => { throw new Error('no way there'); }",
    );
    assert.notEqual(failing, elsewhere);
    await using server = await withModule(failing);
    const agent = new UserAgent();
    await signIn(server, agent, 'emma');
    const logout = await agent.get(`${server.service.baseUrl}/logout`);
    const failed = await agent.submit(logout, { auth_state: logout.forms[0]?.controls[0]?.value ?? '' });
    assert.equal(failed.status, 200);
    assert.match(server.log(), /the authenticator module \\"elsewhere\\" threw an error/);
    assert.match((await agent.get(`${server.service.baseUrl}/account`)).html, /role="search"/);
  });

  it('is ended by the identity provider, and no other session is', async () => {
    const agents = { emma: new UserAgent(), too: new UserAgent(), other: new UserAgent() };
    for (const [name, agent] of Object.entries(agents)) await signIn(server, agent, name);
    const isIn = async (agent: UserAgent) =>
      !(await agent.get(`${server.service.baseUrl}/account`)).html.includes('role="search"');
    const end = (query: string) =>
      fetch(`${server.service.baseUrl}/elsewhere/ended?${query}`, { redirect: 'manual' });
    await end('name=emma&of=b');
    assert.ok(await isIn(agents.emma));
    const answer = await end('name=emma&of=a');
    assert.equal(answer.headers.get('location'), 'http://127.0.0.1:1/ended');
    assert.deepEqual(await Promise.all(Object.values(agents).map(isIn)), [false, true, true]);
    const { headers } = await end('');
    const { html } = await agents.emma.get(`${server.service.baseUrl}${headers.get('location')}`);
    assert.match(html, /You are signed out/);
  });

  it('is started again when it ended before the answer to consent', async () => {
    await using directory = await temporaryDirectory();
    const direct = elsewhere
      .replace("services.baseUrl + '/elsewhere/choose?auth_state=' + handle", "provider + '?state=' + handle")
      .replace(
        'const { chosen, isFresh } = context.state;',
        "const { chosen = 'a', isFresh } = context.state;",
      );
    await writeFile(directory.file('direct.mjs'), direct);
    await using server = await startServer({ authenticator: directory.file('direct.mjs') });
    const agent = new UserAgent();
    const away = await agent.get(`${server.service.baseUrl}${authorizePath}`);
    const back = await fromProvider(server, stateOf(away), 'emma');
    const consent = await agent.get(back.headers.get('location') ?? '');
    await fetch(`${server.service.baseUrl}/elsewhere/ended?name=emma&of=a`, { redirect: 'manual' });
    const forward = await agent.submit(consent, { decision: 'allow' });
    assert.equal(forward.status, 200);
    assert.match(forward.html, /id="forward" href="http:\/\/127\.0\.0\.1:1\/sso\?state=[0-9a-f-]{36}"/);
  });
});

describe('a module whose addresses are not valid', () => {
  for (const [problem, endpoint, reason] of [
    ['a path with a query', "{ path: '/a?b', method: 'GET' }", /a path such as \/saml\/acs/],
    ['no slash', "{ path: 'a', method: 'GET' }", /a path such as \/saml\/acs/],
    ['another method', "{ path: '/a', method: 'PUT' }", /GET or POST/],
    ['a body without measure', "{ path: '/a', method: 'POST', bodyLimit: 1e9 }", /at most 524288 bytes/],
  ] as const) {
    it(`keeps the server from starting: ${problem}`, async () => {
      await using directory = await temporaryDirectory();
      await writeFile(
        directory.file('x.mjs'),
        `export default () => ({ name: 'x', begin() {}, resume() {}, endpoints: [${endpoint}] });`,
      );
      const { code, stderr } = await watchword([
        ...['serve', '--port', '0', '--database', directory.file('x.db')],
        ...['--authenticator', directory.file('x.mjs')],
      ]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, reason);
    });
  }
});

describe('options that a module rejects', () => {
  it('are all reported at once, with their places', async () => {
    await using directory = await temporaryDirectory();
    const protocol = new URL('../../../protocol/src/index.ts', import.meta.url).href;
    await writeFile(
      directory.file('x.mjs'),
      `import { ModuleOptionsError } from ${JSON.stringify(protocol)};
       export default () => { throw new ModuleOptionsError([
         { option: 'url', problem: 'expected a URL, got 7' },
         { option: '', problem: 'too few' },
       ]); };`,
    );
    const { code, stderr } = await watchword([
      ...['serve', '--port', '0', '--database', directory.file('x.db')],
      ...['--authenticator', directory.file('x.mjs')],
    ]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /authenticatorOptions\.url \(--authenticator-options\): expected a URL, got 7\n/);
    assert.match(stderr, /authenticatorOptions \(--authenticator-options\): too few/);
  });
});
