import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, it } from 'node:test';
import { UserAgent } from '@watchword/testkit/user-agent';
import { codeOf, logIn, optionsFor, type Service, sharedService, startService } from './support/service.ts';
import { clientId, logoutEvent, startTestProvider, type TestProvider } from './support/test-provider.ts';

const isLoggedIn = async ({ baseUrl }: Service, agent: UserAgent) =>
  (await agent.get(`${baseUrl}/account`)).html.includes('page-account');

/** The address to which the page of a logout leads. */
const leading = (html: string) => /id="forward" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');

let provider: TestProvider;
let service: Service;
sharedService((started) => {
  ({ provider, service } = started);
});

// Each test is a module of the plan for relying parties with back-channel logout of the OpenID Foundation, by its name.
describe('as a relying party of the plan for back-channel logout', () => {
  let agent: UserAgent;
  beforeEach(async () => {
    agent = new UserAgent();
    codeOf(await logIn(service, agent));
  });

  const assertRejected = async (token: Promise<string>, check: string) => {
    const answer = await service.logOut(await token);
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.json.error, 'invalid_request');
    assert.match(answer.json.error_description, new RegExp(`${check}\\.$`));
    assert.equal(service.rejected().at(-1)?.check, check);
    assert.ok(await isLoggedIn(service, agent), 'the session stays');
  };

  it('oidcc-client-test-rp-backchannel-rpinitlogout: signs out at the provider, and ends the session that its logout token names', async () => {
    const other = new UserAgent();
    codeOf(await logIn(service, other));
    const page = await agent.submit(await agent.get(`${service.baseUrl}/logout`), {});
    const url = new URL(leading(page.html) ?? assert.fail(page.text));
    assert.equal(`${url.origin}${url.pathname}`, `${provider.issuer}/logout`);
    const hint = url.searchParams.get('id_token_hint') ?? '';
    const [, payload = ''] = hint.split('.');
    assert.equal(JSON.parse(Buffer.from(payload, 'base64url').toString()).sub, 'user-1');
    assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${service.instance}/signed-out`);
    assert.equal(url.searchParams.get('client_id'), clientId);
    const state = url.searchParams.get('state') ?? '';
    assert.match(state, /^[\w-]{22}$/);
    // The provider tells it through the back, and sends the browser back.
    assert.ok(await isLoggedIn(service, other));
    const told = await service.logOut(await provider.logoutToken(clientId, { sid: 'session-1' }));
    assert.equal(told.status, 200, told.text);
    assert.equal(told.headers.get('cache-control'), 'no-store');
    assert.equal(told.text, '');
    assert.ok(!(await isLoggedIn(service, other)));
    const back = await agent.get(`${service.instance}/signed-out?state=${state}`);
    assert.match(back.text, /You are signed out/);
    const again = await agent.get(`${service.instance}/signed-out?state=${state}`);
    assert.equal(again.status, 400, 'the state of a logout returns once');
  });

  it('oidcc-client-test-rp-backchannel-rpinitlogout-alg-none: rejects a logout token without a signature', () =>
    assertRejected(provider.logoutToken(clientId, {}, { alg: 'none' }), 'signature'));

  it('oidcc-client-test-rp-backchannel-rpinitlogout-no-event: rejects a logout token without the event', () =>
    assertRejected(provider.logoutToken(clientId, { events: undefined }), 'events'));

  it('oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce: rejects a logout token with a nonce', () =>
    assertRejected(provider.logoutToken(clientId, { nonce: 'a nonce' }), 'nonce'));

  it('oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg: rejects a logout token by another algorithm than that of this client', async () => {
    for (const alg of ['HS256', 'PS256']) {
      await assertRejected(provider.logoutToken(clientId, {}, { alg }), 'signature');
      assert.match(service.rejected().at(-1)?.detail ?? '', new RegExp(`expected .* RS256, got "?${alg}`));
    }
  });

  it('oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud: rejects a logout token for another client', () =>
    assertRejected(provider.logoutToken('another client'), 'audience'));

  it('oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event: rejects a logout token with another event', () =>
    assertRejected(provider.logoutToken(clientId, { events: { [`${logoutEvent}/other`]: {} } }), 'events'));

  it('oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss: rejects a logout token of another issuer', () =>
    assertRejected(provider.logoutToken(clientId, { iss: `${provider.issuer}/other` }), 'issuer'));
});

describe('a logout token', () => {
  const loggedIn = async (sid: string, sub = 'user-1') => {
    provider.person = { sub, sid };
    const agent = new UserAgent();
    codeOf(await logIn(service, agent));
    return agent;
  };
  const told = async (change: Record<string, unknown>) =>
    (await service.logOut(await provider.logoutToken(clientId, change))).status;

  it('with sid alone ends the sessions of that session at the provider, and no others', async () => {
    const [first, second] = [await loggedIn('s-1'), await loggedIn('s-2')];
    assert.equal(await told({ sub: undefined, sid: 's-1' }), 200);
    assert.deepEqual([await isLoggedIn(service, first), await isLoggedIn(service, second)], [false, true]);
    assert.equal(await told({ sub: undefined, sid: 'unknown' }), 200);
    assert.ok(await isLoggedIn(service, second));
  });

  it('with sub alone ends every session of the user, and none of another one', async () => {
    const agents = [
      await loggedIn('s-3', 'user-3'),
      await loggedIn('s-4', 'user-3'),
      await loggedIn('s-5', 'user-4'),
    ];
    assert.equal(await told({ sub: 'user-3' }), 200);
    const left = await Promise.all(agents.map((agent) => isLoggedIn(service, agent)));
    assert.deepEqual(left, [false, false, true]);
  });

  it('is used once, and is refused when it is old, has expired, names nobody or is an ID token', async () => {
    const agent = await loggedIn('s-6', 'user-6');
    const token = await provider.logoutToken(clientId, { sub: 'another' });
    assert.equal((await service.logOut(token)).status, 200);
    const refusals = async (change: Record<string, unknown>, header = {}) => {
      const answer = await service.logOut(
        await provider.logoutToken(clientId, { sub: 'user-6', ...change }, header),
      );
      return [answer.status, service.rejected().at(-1)?.check];
    };
    assert.equal((await service.logOut(token)).status, 400);
    assert.equal(service.rejected().at(-1)?.check, 'replay');
    const now = Math.floor(Date.now() / 1000);
    assert.deepEqual(await refusals({ iat: now - 400 }), [400, 'time']);
    assert.deepEqual(await refusals({ iat: undefined }), [400, 'time']);
    assert.deepEqual(await refusals({ exp: now - 100 }), [400, 'time']);
    assert.deepEqual(await refusals({ sub: undefined }), [400, 'subject']);
    assert.deepEqual(await refusals({ jti: undefined }), [400, 'token']);
    assert.deepEqual(await refusals({}, { typ: 'at+jwt' }), [400, 'token']);
    assert.equal((await service.logOut('')).status, 400);
    assert.ok(await isLoggedIn(service, agent));
  });

  for (const named of ['sub', 'sid'] as const) {
    it(`that names a ${named} is used again where its sessions could not be ended`, async (t) => {
      const agent = await loggedIn(`s-8-${named}`, `user-8-${named}`);
      const name = named === 'sub' ? `user-8-${named}` : `s-8-${named}`;
      const token = await provider.logoutToken(clientId, { [named]: name });
      const { sessionLinks } = service.server.service.store;
      const end = t.mock.method(sessionLinks, 'findByKey', () => Promise.reject(new Error('killed')));
      assert.equal((await service.logOut(token)).status, 500);
      assert.ok(await isLoggedIn(service, agent));
      end.mock.restore();
      assert.equal((await service.logOut(token)).status, 200);
      assert.ok(!(await isLoggedIn(service, agent)));
      assert.equal((await service.logOut(token)).status, 400);
    });
  }

  it('that is late does not end a session that began after it', async () => {
    const agent = await loggedIn('s-7', 'user-7');
    const past = Math.floor(Date.now() / 1000) - 200;
    assert.equal(await told({ sub: 'user-7', iat: past }), 200);
    assert.ok(await isLoggedIn(service, agent));
  });

  it('is to come again where the keys of the provider cannot be loaded', async () => {
    await using failing = await startTestProvider();
    await using fresh = await startService(optionsFor(failing));
    const token = await failing.logoutToken(clientId);
    const fail = (_: unknown, response: ServerResponse) => Boolean(response.writeHead(500).end());
    failing.twist = { answer: fail };
    const answer = await fresh.logOut(token);
    assert.deepEqual([answer.status, answer.json.error], [503, 'temporarily_unavailable']);
    assert.equal(fresh.rejected().at(-1)?.check, 'keys');
    failing.twist = {};
    assert.equal((await fresh.logOut(token)).status, 200);
  });
});
