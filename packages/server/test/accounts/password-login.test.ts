import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { accountAdministration, systemCaller } from '@watchword/administration';
import { accountIdentityProvider } from '@watchword/protocol';
import {
  cheapCost,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { accountRegistration, slowTest } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { argon2Hasher } from '../../src/modules/authentication/password-hasher.ts';
import { defaultLoginLimits } from '../../src/modules/services/login-attempts.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { password } from '../support/login-dependencies.ts';

const { free, maxWait } = defaultLoginLimits.perAccountAndNetwork;

/** A server with the account `emma`, and a way to make more. */
async function serverWithEmma() {
  const server = await startServer({ authenticator: 'password' });
  const { hash } = argon2Hasher({ random: systemRandom, concurrency: 1, cost: { ...cheapCost, passes: 2 } });
  const admin = accountAdministration({
    ...server.service.store,
    clock: systemClock,
    random: systemRandom,
    hashPassword: hash,
    caller: systemCaller,
  });
  const create = (username: string) => admin.create(accountRegistration({ username }), password);
  await create('emma');
  const authorize = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
  return { ...server, server, admin, create, authorize };
}

/** Opens the login page and submits it. */
async function logIn(url: string, username: string, given: string, agent = new UserAgent()): Promise<Page> {
  return agent.submit(await agent.get(url), { username, password: given });
}

async function redeem(server: TestServer, code: string): Promise<string> {
  const form = { grant_type: 'authorization_code', code };
  return (await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret')).json.access_token;
}

/** The page without the parts that differ between two requests. */
function constant({ status, html }: Page, username: string) {
  const random = /name="auth_state" value="[^"]*"|data-options="[^"]*"/g;
  return { status, html: html.replaceAll(random, '').replaceAll(`value="${username}"`, '') };
}

describe('logging in with a local account, in a browser', () => {
  let deps: Awaited<ReturnType<typeof serverWithEmma>>;
  before(async () => {
    deps = await serverWithEmma();
  });
  after(() => deps[Symbol.asyncDispose]());

  it('ends with a token whose principal equals the stored account', async () => {
    const flow = await followFlow(new UserAgent(), deps.authorize, { password });
    const access_token = await redeem(deps.server, flow.parameters.get('code') ?? '');
    const info = await deps.post('/v1/tokeninfo', { access_token }, demoResourceServer);
    assert.deepEqual(info.json.principal, {
      name: 'emma',
      roles: ['editor'],
      groups: ['staff'],
      adminPrincipal: false,
      attributes: { DISPLAY_NAME: 'Emma Example' },
    });
    const account = await deps.service.store.accounts.find('emma');
    assert.match(account?.passwordHash ?? '', /\$m=8,t=1,p=1\$/);
    assert.doesNotMatch(deps.log(), /correct horse battery/);
  });

  // LC-14 of attacks/logins/passwords.test.ts holds it.
  slowTest(
    'shows the same page for an unknown name, a wrong and an empty password and a disabled account',
    async () => {
      await deps.create('anna');
      const pages = [
        constant(await logIn(deps.authorize, 'nobody', password), 'nobody'),
        constant(await logIn(deps.authorize, 'anna', 'wrong horse'), 'anna'),
        constant(await logIn(deps.authorize, 'anna', ''), 'anna'),
      ];
      await deps.admin.update('anna', { disabled: true });
      pages.push(constant(await logIn(deps.authorize, 'anna', password), 'anna'));
      for (const page of pages) assert.deepEqual(page, pages[0]);
      assert.equal(pages[0]?.status, 403);
      assert.match(pages[0]?.html ?? '', /do not match/);
    },
  );

  it('keeps the typed name in the form, as text, and starts no session', async () => {
    const agent = new UserAgent();
    const page = await logIn(deps.authorize, '<img src=x> "emma"', 'wrong horse', agent);
    const [form] = page.forms;
    assert.deepEqual(
      form?.controls.filter(({ name }) => name !== 'auth_state').map(({ name, value }) => [name, value]),
      [
        ['username', '<img src=x> "emma"'],
        ['password', ''],
      ],
    );
    assert.doesNotMatch(page.html, /<img src=x>/);
    assert.deepEqual(
      agent.cookies.filter(({ name }) => /session/.test(name)),
      [],
    );
    const flow = await followFlow(agent, deps.authorize, { password });
    assert.ok(flow.parameters.has('code'));
  });

  it('waits after some failures, with any forged address, and the page shows how long', async () => {
    const statuses: number[] = [];
    let page: Page | undefined;
    // The wait is in real time and doubles with each failure, so that a slow machine gets one soon too.
    while (page?.status !== 429 && statuses.length < 3 * free) {
      const agent = new UserAgent({
        'x-forwarded-for': `203.0.113.${statuses.length}`,
        forwarded: `for=203.0.113.${statuses.length}`,
      });
      page = await logIn(deps.authorize, 'emma', 'wrong horse', agent);
      statuses.push(page.status);
    }
    assert.ok(statuses.length > free);
    assert.deepEqual(new Set(statuses.slice(0, -1)), new Set([403]));
    assert.equal(page?.status, 429);
    const seconds = Number(page.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= maxWait / 1000, `${seconds} s`);
    assert.match(page.text, /Too many attempts\. Try again in \d+ (?:second|minute)s?/);
    assert.equal(
      page.forms.filter(({ controls }) => controls.some(({ name }) => name === 'password')).length,
      1,
    );
  });

  it('is valid as long as the account does not change', async () => {
    await deps.create('berta');
    const username = 'berta';
    const agent = new UserAgent();
    const flow = await followFlow(agent, deps.authorize, { username, password });
    const access_token = await redeem(deps.server, flow.parameters.get('code') ?? '');
    const later = await followFlow(agent, deps.authorize, { username, password: 'not asked for' });
    assert.deepEqual(await deps.admin.setPassword(username, 'another horse battery'), {
      sessions: 1,
      grants: 2,
    });
    const info = await deps.post('/v1/tokeninfo', { access_token }, demoResourceServer);
    assert.equal(info.status, 404);
    assert.equal(await redeem(deps.server, later.parameters.get('code') ?? ''), undefined);
    const page = await agent.get(deps.authorize);
    assert.ok(page.forms.some(({ controls }) => controls.some(({ name }) => name === 'username')));
    assert.equal((await logIn(deps.authorize, username, password)).status, 403);
    const again = await followFlow(agent, deps.authorize, { username, password: 'another horse battery' });
    assert.ok(again.parameters.has('code'));
  });

  it('starts no session when the account is disabled while the session is being stored', async ({ mock }) => {
    await deps.create('clara');
    const { loginSessions } = deps.service.store;
    const insert = loginSessions.insert;
    mock.method(loginSessions, 'insert', async (session: Parameters<typeof insert>[0]) => {
      await deps.admin.update('clara', { disabled: true });
      return insert(session);
    });
    const agent = new UserAgent();
    const page = await logIn(deps.authorize, 'clara', password, agent);
    assert.match(page.location ?? '', /[?&]error=access_denied&/);
    assert.match((await agent.get(`${deps.baseUrl}/account`)).text, /Sign in/);
    // The first change was made before the session was stored.
    assert.deepEqual(await deps.admin.update('clara', { disabled: true }), { sessions: 0, grants: 0 });
  });

  // Held by authorization-flow.test.ts of the protocol, for a code and a token.
  slowTest(
    'issues no valid code when the account is disabled while the code is being stored',
    async ({ mock }) => {
      await deps.create('dora');
      const agent = new UserAgent();
      await followFlow(agent, deps.authorize, { username: 'dora', password });
      const { authorizationCodes } = deps.service.store;
      const insert = authorizationCodes.insert;
      mock.method(authorizationCodes, 'insert', async (...given: Parameters<typeof insert>) => {
        await deps.admin.update('dora', { disabled: true });
        return insert(...given);
      });
      const page = await agent.get(deps.authorize);
      assert.equal(page.location, undefined);
      assert.match(page.text, /Sign in/);
      // The first change was made before the code was stored.
      assert.deepEqual(await deps.admin.update('dora', { disabled: true }), { sessions: 0, grants: 0 });
    },
  );

  it('needs no permission on a server that others can reach, because the module is secure', async () => {
    await using deps = await startServer({ authenticator: 'password', baseUrl: 'https://id.example' });
    assert.doesNotMatch(deps.log(), /INSECURE: the authenticator/);
    assert.equal(accountIdentityProvider, 'password');
  });
});
