import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createTokenVerifier } from '@watchword/resource-server';
import { protect } from '@watchword/resource-server/node';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { slowTest } from '@watchword/testkit';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { decodeJwt } from 'jose';

const password = 'correct horse battery';
const mfa = 'https://refeds.org/profile/mfa';

/** An API on another port: `/read` takes every token, `/pay` a strong login, `/close` one of the last five minutes. */
async function startApi(options: { url: string; key: string; secret: string }) {
  const verifier = createTokenVerifier({ ...options, cache: { ttl: 0 }, warn: () => {} });
  const ok = (_: unknown, response: { end(text: string): void }) => response.end('done');
  const routes = {
    '/read': protect(verifier, {}, ok),
    '/pay': protect(verifier, { acrValues: [mfa, 'phr'] }, ok),
    '/close': protect(verifier, { maxAge: 300 }, ok),
  };
  const api = createServer((request, response) => {
    const route = Object.entries(routes).find(([path]) => path === request.url)?.[1];
    void route?.(request, response);
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  return {
    async call(path: keyof typeof routes, token: string) {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
      });
      return { status, challenge: headers.get('www-authenticate') ?? '' };
    },
    async [Symbol.asyncDispose]() {
      verifier.close();
      await new Promise((resolve) => api.close(resolve));
    },
  };
}

/** What a client reads of the challenge, for its authorization request (RFC 9470 §4). */
function demandOf(challenge: string): Record<string, string> {
  assert.match(challenge, /^Bearer .*error="insufficient_user_authentication"/);
  const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1];
  const [acr_values, max_age] = [read('acr_values'), read('max_age')];
  return { ...(acr_values && { acr_values }), ...(max_age && { max_age }) };
}

describe('step-up between a client, an API and the server', () => {
  let server: AccountServer;
  let api: Awaited<ReturnType<typeof startApi>>;
  let app: Application;
  let other: Application;
  before(async () => {
    server = await startAccountServer();
    const { resourceServer, credentials } = await registerResourceServer(server, 'Payments', {
      scopes: ['read'],
      loginDetails: true,
    });
    const [key = '', secret = ''] = credentials.split(':');
    api = await startApi({ url: server.service.baseUrl, key, secret });
    const registration = { scopes: ['read'], openidScopes: [], skipConsent: true, trusted: true };
    app = await registerApplication(server, { ...registration, clientName: 'Shop' }, resourceServer.key);
    other = await registerApplication(server, { ...registration, clientName: 'Other' }, resourceServer.key);
  });
  after(async () => {
    await api?.[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function tokenOf(page: Page, of = app) {
    const code = answeredBy(page.location ?? assert.fail(page.text)).get('code') ?? assert.fail(page.text);
    const { json } = await of.redeem(code);
    return { token: json.access_token as string, sid: decodeJwt(json.id_token).sid };
  }

  /** A person whose browser is logged in at both applications. */
  async function person(username: string) {
    await server.addAccount(username);
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({ scope: 'openid read' }, agent), { username, password });
    const first = await tokenOf(page);
    await tokenOf(await other.open({ scope: 'openid' }, agent), other);
    const [session = assert.fail()] = await sessionsOf(username);
    return { agent, ...first, session };
  }

  async function addPhone(username: string) {
    const agent = await server.browserOf(username);
    const page = await agent.get(`${server.baseUrl}/account/totp`);
    const phone = AuthenticatorApp.of(page);
    await agent.submit(page, { code: phone.code(), name: 'Phone' });
    return phone;
  }

  const sessionsOf = async (username: string) => {
    const all = await server.service.store.loginSessions.list({ limit: 99 });
    return all.filter(({ owner }) => owner.principal.name === username);
  };

  it('asks for the password again where the login is too old, and the API then accepts the new token', async () => {
    using clock = stoppedClock();
    const { agent, token, sid, session } = await person('emma');
    assert.equal((await api.call('/close', token)).status, 200);
    clock.advance(400);
    assert.equal((await api.call('/read', token)).status, 200);
    const { status, challenge } = await api.call('/close', token);
    assert.equal(status, 401);
    const demand = demandOf(challenge);
    assert.deepEqual(demand, { max_age: '300' });
    const login = await app.open({ scope: 'openid read', ...demand }, agent);
    const fresh = await tokenOf(await agent.submit(login, { username: 'emma', password }));
    assert.equal((await api.call('/close', fresh.token)).status, 200);
    // The session was raised: the same name of it, and the other application still has it.
    assert.equal(fresh.sid, sid);
    assert.deepEqual(
      (await sessionsOf('emma')).map(({ id }) => id),
      [session.id],
    );
    await tokenOf(await other.open({ scope: 'openid', prompt: 'none' }, agent), other);
    // The token of before stays what it was.
    assert.equal((await api.call('/close', token)).status, 401);
    assert.equal((await api.call('/read', token)).status, 200);
  });

  /** The page of the second factor that the demand of the API leads to. */
  async function atStep(agent: UserAgent, token: string) {
    const { status, challenge } = await api.call('/pay', token);
    assert.equal(status, 401);
    const demand = demandOf(challenge);
    assert.deepEqual(demand, { acr_values: `${mfa} phr` });
    const step = await app.open({ scope: 'openid read', ...demand }, agent);
    const names = step.forms.flatMap(({ controls }) => controls.map(({ name }) => name));
    assert.deepEqual([names.includes('code'), names.includes('password')], [true, false], step.text);
    return step;
  }

  it('asks for the second factor alone where only that is missing, and the API then accepts the new token', async () => {
    const { agent, token, sid, session } = await person('nora');
    // In another browser, whose session has proved it then.
    const phone = await addPhone('nora');
    const step = await atStep(agent, token);
    const strong = await tokenOf(await agent.submit(step, { code: phone.code(1) }));
    assert.equal((await api.call('/pay', strong.token)).status, 200);
    assert.equal(strong.sid, sid);
    const raised = await server.service.store.loginSessions.find(session.id);
    assert.deepEqual([raised?.authentication.level, raised?.expires], ['mfa', session.expires]);
    assert.equal((await api.call('/pay', token)).status, 401);
  });

  it('takes an answer once: the page is of one browser, and the cookies of before are worth nothing any more', async () => {
    const { agent, token, session } = await person('olga');
    const phone = await addPhone('olga');
    const step = await atStep(agent, token);
    const stolen = new UserAgent();
    for (const { name, value } of agent.cookies) stolen.plantCookie(`${name}=${value}; Path=/`);
    const code = phone.code(1);
    await tokenOf(await agent.submit(step, { code }));
    const now = async () => (await server.service.store.loginSessions.find(session.id))?.authentication;
    const raised = await now();
    assert.equal(raised?.level, 'mfa');
    // The same browser once more gets what its session has anyway, and proves nothing by it.
    await agent.submit(step, { code });
    assert.deepEqual(await now(), raised);
    // A copy of the browser as it was has no session any more, and the page of another browser is none of its own.
    const copied = await stolen.get(app.authorizeUrl({ prompt: 'none' }));
    assert.equal(answeredBy(copied.location ?? '').get('error'), 'login_required');
    assert.equal((await new UserAgent().submit(step, { code: phone.code(2) })).location, undefined);
    assert.deepEqual(await now(), raised);
  });

  // Held by raised-sessions.test.ts of the protocol.
  slowTest('asks once with max_age=0, also where further steps follow, and never goes round', async () => {
    const { agent } = await person('rita');
    const phone = await addPhone('rita');
    const login = await app.open({ scope: 'openid read', max_age: '0' }, agent);
    const step = await agent.submit(login, { username: 'rita', password });
    const { token } = await tokenOf(await agent.submit(step, { code: phone.code(1) }));
    assert.equal((await api.call('/pay', token)).status, 200);
    const silent = await agent.get(app.authorizeUrl({ max_age: '0', prompt: 'none' }));
    assert.equal(answeredBy(silent.location ?? '').get('error'), 'login_required');
  });
});
