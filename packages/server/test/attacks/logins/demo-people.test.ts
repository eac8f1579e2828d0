import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MachineSecret, rotatedSecret, storedSecret } from '@watchword/protocol';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { isAtThisMachine } from '../../../src/http/foreign-host.ts';

const demoApp = 'demo-app:demo-app-client-secret';

const login = ({ baseUrl }: TestServer) => `${baseUrl}/authorize?response_type=code&client_id=demo-app`;

const hasPeople = ({ forms }: Page) =>
  forms.some(({ controls }) => controls.some(({ name }) => name === 'choice'));

/** What token info says of the user of a page that is a login or asks for consent. */
async function principalAfter(server: TestServer, agent: UserAgent, page: Page) {
  const { location = '' } = await agent.submit(page, { decision: 'allow' });
  const code = new URL(location).searchParams.get('code') ?? '';
  const { json } = await server.post('/oauth2/token', { grant_type: 'authorization_code', code }, demoApp);
  const info = await server.post('/v1/tokeninfo', { access_token: json.access_token }, demoResourceServer);
  return info.json.principal;
}

describe('the people of the demo', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ allowedHosts: 'demo.example', trustedProxies: '' }, undefined, true);
  });
  after(() => server[Symbol.asyncDispose]());

  it('are an administrator and a user, who are logged in with one click at this machine', async () => {
    for (const [choice, expected] of [
      ['administrator', ['ada', true]],
      ['user', ['emma', false]],
    ] as const) {
      const agent = new UserAgent();
      const page = await agent.submit(await agent.get(login(server)), { choice });
      const { name, adminPrincipal } = await principalAfter(server, agent, page);
      assert.deepEqual([name, adminPrincipal], expected);
    }
  });

  it('are none of the names that a user types: an administrator is nobody who typed a name', async () => {
    const subjects = new Set<string>();
    for (const username of ['ada', 'Ada', 'administrator', 'demo']) {
      const agent = new UserAgent();
      const typed = await agent.submit(await agent.get(login(server)), { username, password: 'x' });
      assert.equal((await principalAfter(server, agent, typed)).adminPrincipal, false, username);
    }
    for (const { grant } of await server.service.store.accessTokens.list({ limit: 50 })) {
      if (grant === undefined) continue;
      const { identityProvider, principal, subject } = grant.owner;
      assert.equal(identityProvider === 'demo', principal.adminPrincipal);
      subjects.add(subject);
    }
    assert.equal(subjects.size, 6);
  });

  it('are not offered, and not logged in, for another host or through a proxy', async () => {
    for (const headers of [
      { host: 'demo.example' },
      { 'x-forwarded-for': '127.0.0.1' },
      { origin: 'https://demo.example' },
    ]) {
      const elsewhere = new UserAgent(headers as Record<string, string>);
      const page = await elsewhere.get(login(server));
      assert.ok(!hasPeople(page), JSON.stringify(headers));
      const [form] = page.forms;
      const authState = form?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
      const forced = await elsewhere.post(
        `${server.baseUrl}/login`,
        { auth_state: authState, choice: 'administrator' },
        { 'sec-fetch-site': 'same-origin' },
      );
      assert.equal(forced.status, 400, JSON.stringify(headers));
    }
  });

  it('cannot be logged in by a page of another site', async () => {
    const agent = new UserAgent();
    const { forms } = await agent.get(login(server));
    const authState = forms[0]?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
    const fields = { auth_state: authState, choice: 'administrator' };
    for (const site of ['cross-site', 'same-site']) {
      const page = await agent.post(`${server.baseUrl}/login`, fields, { 'sec-fetch-site': site });
      assert.equal(page.status, 400, site);
    }
  });

  it('are at no server that does not start as a demo', async () => {
    await using plain = await startServer();
    const page = await new UserAgent().get(login(plain));
    assert.deepEqual([page.status, hasPeople(page)], [200, false]);
  });

  it('are there as long as the secret of the demo is the public one, which can be the one before', async () => {
    await using changed = await startServer({}, undefined, true);
    const isOffered = async () => hasPeople(await new UserAgent().get(`${changed.baseUrl}/account`));
    assert.ok(await isOffered());
    const { store } = changed.service;
    const { id = 0, secret } = (await store.resourceServers.find('demo-resource-server')) ?? {};
    const replaceBy = (next: MachineSecret) =>
      store.transact(({ resourceServers }) => resourceServers.replaceSecret(id, next));
    await replaceBy(rotatedSecret('x'.repeat(40), secret, store.clock.now(), 3600));
    assert.ok(await isOffered());
    await replaceBy(storedSecret('x'.repeat(40)));
    assert.ok(!(await isOffered()));
  });

  // The last test: it deletes the demo.
  it('are at no database without the demo, and their access ends with its records', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    await using own = await startServer({ database: directory.file('x.db') }, undefined, true);
    await registerResourceServer(own, 'Mine');
    assert.ok(!hasPeople(await new UserAgent().get(`${own.baseUrl}/account`)));

    const agent = new UserAgent();
    await agent.submit(await agent.get(`${server.baseUrl}/account`), { choice: 'administrator' });
    assert.match((await agent.get(`${server.baseUrl}/account`)).text, /Signed in as .?Ada/);
    const { store } = server.service;
    const demo = await store.resourceServers.find('demo-resource-server');
    await store.transact(({ resourceServers }) => resourceServers.delete(demo?.id ?? 0));
    const after = await agent.get(`${server.baseUrl}/account`);
    assert.doesNotMatch(after.text, /Signed in as .?Ada/);
    assert.ok(!hasPeople(after));
  });
});

describe('a request', () => {
  const own = { headers: { host: 'localhost:8080' }, method: 'POST', source: '127.0.0.1' };

  it('is of this machine for a loopback host, from a loopback address, without a trace of a proxy', () => {
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080']) {
      for (const source of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
        assert.ok(isAtThisMachine({ ...own, source, headers: { host } }), `${host} ${source}`);
      }
    }
    const ofOthers = [
      {},
      { host: 'evil.example' },
      { host: 'localhost.evil.example' },
      { host: '0.0.0.0' },
      { host: 'localhost', 'x-forwarded-proto': 'https' },
      { host: 'localhost', 'x-forwarded-host': 'localhost' },
      { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
      { host: 'localhost', forwarded: 'for=127.0.0.1' },
      { host: 'localhost', via: '1.1 proxy' },
      { host: 'localhost', 'cf-connecting-ip': '127.0.0.1' },
      { host: 'localhost', origin: 'https://demo.example' },
      { host: 'localhost', 'x-real-ip': '127.0.0.1' },
      { host: 'localhost', 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of ofOthers) {
      assert.ok(!isAtThisMachine({ ...own, headers }), JSON.stringify(headers));
    }
    for (const source of ['192.0.2.1', '::2', '', '::1:x', ':']) {
      assert.ok(!isAtThisMachine({ ...own, source }), source);
    }
  });

  it('is judged by its own host and origin, whatever the request before named', () => {
    const [here, elsewhere] = ['localhost', 'evil.example'];
    for (const host of [here, elsewhere, here, elsewhere]) {
      assert.equal(isAtThisMachine({ ...own, headers: { host } }), host === here);
      const headers = { host: here, origin: `http://${host}` };
      assert.equal(isAtThisMachine({ ...own, headers }), host === here);
    }
  });
});
