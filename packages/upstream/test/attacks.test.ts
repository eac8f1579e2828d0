import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { UserAgent } from '@watchword/testkit/user-agent';
import {
  atProvider,
  codeOf,
  logIn,
  optionsFor,
  requestLogin,
  type Service,
  sharedService,
  startService,
} from './support/service.ts';
import { clientId, json, startTestProvider, type TestProvider, type Twist } from './support/test-provider.ts';

describe('a login at a provider', () => {
  let provider: TestProvider;
  let service: Service;
  sharedService(
    (started) => {
      ({ provider, service } = started);
    },
    { trustedAudiences: ['the API'] },
  );
  beforeEach(() => {
    provider.twist = {};
    provider.person = { sub: 'user-1', name: 'Emma' };
  });

  const rejectedBy = async (twist: Twist): Promise<string | undefined> => {
    provider.twist = twist;
    const before = service.rejected().length;
    const page = await logIn(service);
    assert.equal(page.location, undefined, 'the browser was sent on');
    const [rejected, ...others] = service.rejected().slice(before);
    assert.deepEqual(others, []);
    return rejected?.check;
  };

  it('is not finished by a browser that did not begin it, nor by one that began another', async () => {
    const response = await atProvider(await requestLogin(service));
    const stranger = await new UserAgent().get(response);
    assert.equal(stranger.status, 403, stranger.text);
    const other = new UserAgent();
    await requestLogin(service, other);
    assert.equal((await other.get(response)).status, 400);
  });

  it('does not accept the code of another login, which has another nonce and another verifier', async () => {
    const stolen = new URL(await atProvider(await requestLogin(service))).searchParams.get('code') ?? '';
    const agent = new UserAgent();
    const own = new URL(await atProvider(await requestLogin(service, agent)));
    own.searchParams.set('code', stolen);
    const page = await agent.get(own.href);
    assert.equal(page.location, undefined);
    assert.equal(service.rejected().at(-1)?.check, 'code');
  });

  it('is finished once: Back and Reload lead to a page that says so', async () => {
    const agent = new UserAgent();
    const response = await atProvider(await requestLogin(service, agent));
    codeOf(await agent.get(response));
    assert.equal((await agent.get(response)).status, 400);
  });

  it('accepts no response that names another issuer, nor one without a name where the provider gives it (RFC 9207)', async () => {
    for (const iss of ['https://evil.example', provider.issuer.toUpperCase(), `${provider.issuer}/`]) {
      assert.equal(await rejectedBy({ response: (params) => ({ ...params, iss }) }), 'issuer', iss);
    }
    provider.twist = { response: (params) => ({ ...params, iss: provider.issuer }) };
    codeOf(await logIn(service));

    await using naming = await startTestProvider();
    naming.twist = { metadata: () => ({ authorization_response_iss_parameter_supported: true }) };
    await using strict = await startService(optionsFor(naming));
    assert.equal((await logIn(strict)).status, 403);
    assert.equal(strict.rejected()[0]?.check, 'issuer');
    // An error of another issuer is none of this login either.
    naming.twist = {
      response: ({ state = '' }) => ({ state, error: 'access_denied', iss: 'https://evil.example' }),
    };
    assert.equal((await logIn(strict)).status, 403);
    assert.equal(strict.rejected().length, 2);
  });

  it('accepts an ID token by every rule of OpenID Connect Core §3.1.3.7 only', async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const [claims, check] of [
      [{ iss: undefined }, 'issuer'],
      [{ iss: [provider.issuer] }, 'issuer'],
      [{ aud: undefined }, 'audience'],
      [{ aud: [] }, 'audience'],
      [{ aud: [clientId, 'a stranger'], azp: clientId }, 'audience'],
      [{ aud: [clientId, 'the API'] }, 'audience'],
      [{ aud: [clientId, 'the API'], azp: 'the API' }, 'audience'],
      [{ azp: 'another client' }, 'audience'],
      [{ exp: undefined }, 'time'],
      [{ exp: now - 61 }, 'time'],
      [{ exp: 'never' }, 'time'],
      [{ iat: now + 120 }, 'time'],
      [{ iat: now - 120 }, 'time'],
      [{ iat: String(now) }, 'time'],
      [{ nbf: now + 120 }, 'time'],
      [{ nonce: undefined }, 'nonce'],
      [{ nonce: ['a', 'b'] }, 'nonce'],
      [{ at_hash: 'wrong' }, 'token'],
      [{ sub: '' }, 'subject'],
      [{ sub: 17 }, 'subject'],
      [{ sub: 'x'.repeat(256) }, 'subject'],
      [{ sub: 'zoë' }, 'subject'],
      [{ auth_time: 'yesterday' }, 'time'],
    ] as const) {
      assert.equal(await rejectedBy({ claims: () => claims }), check, JSON.stringify(claims));
    }
    for (const claims of [
      { aud: [clientId] },
      { aud: [clientId, 'the API'], azp: clientId },
      { exp: now - 30 },
    ]) {
      provider.twist = { claims: () => claims };
      codeOf(await logIn(service));
    }
  });

  it('accepts no ID token by the client secret, an algorithm that is not offered or an unknown key, or that is encrypted or none', async () => {
    for (const [idToken, check] of [
      [(claims: object) => provider.sign({ ...claims }, { alg: 'HS256' }), 'signature'],
      [(claims: object) => provider.sign({ ...claims }, { alg: 'RS512' }), 'signature'],
      [(claims: object) => provider.sign({ ...claims }, { kid: 'unknown' }), 'signature'],
      [() => 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAA.AAAA.AAAA', 'signature'],
      [() => 'not a token', 'signature'],
      [() => '', 'token'],
    ] as const) {
      assert.equal(await rejectedBy({ idToken }), check);
    }
  });

  it('accepts no answer of the token endpoint and of UserInfo that is not what the specification has', async () => {
    for (const [members, check] of [
      [{}, 'token'],
      [{ access_token: 'x', token_type: 'Bearer' }, 'token'],
      [{ access_token: 'x', token_type: 'DPoP', id_token: 'x' }, 'token'],
      ['a text', 'token'],
    ] as const) {
      assert.equal(await rejectedBy({ tokenAnswer: (response) => json(response, members) }), check);
    }
    for (const [error, check] of [
      ['invalid_grant', 'code'],
      ['invalid_client', 'client'],
      ['another', 'client'],
    ] as const) {
      assert.equal(await rejectedBy({ tokenAnswer: (response) => json(response, { error }, 400) }), check);
    }
    assert.equal(await rejectedBy({ userinfo: () => ({}) }), 'subject');
    assert.equal(await rejectedBy({ userinfoAnswer: (response) => json(response, [], 200) }), 'userinfo');
    assert.equal(await rejectedBy({ userinfoAnswer: (response) => json(response, {}, 403) }), 'userinfo');
  });

  it('reads a signed answer of UserInfo, if it is for this client', async () => {
    const signed = (change: object): Twist => ({
      async userinfoAnswer(response, claims) {
        const whole = { iss: provider.issuer, aud: clientId, ...claims, name: 'Signed', ...change };
        response.writeHead(200, { 'content-type': 'application/jwt' }).end(await provider.sign(whole));
      },
      claims: () => ({ name: undefined }),
    });
    provider.twist = signed({});
    const { principal } = await service.tokenInfo(await logIn(service));
    assert.equal(principal.attributes.DISPLAY_NAME, 'Signed');
    assert.equal(await rejectedBy(signed({ aud: 'another' })), 'audience');
    assert.equal(await rejectedBy(signed({ sub: 'user-2' })), 'subject');
  });

  it('is another user for every sub, whatever else the provider says of them', async () => {
    const subjects = new Set<string>();
    for (const sub of ['user-1', 'user-2', 'USER-1']) {
      provider.person = { sub, name: 'Emma', email: 'emma@example.org', email_verified: true };
      codeOf(await logIn(service));
      subjects.add((await service.session()).owner.subject);
    }
    assert.equal(subjects.size, 3);
  });

  it('with 2,000 groups is refused with the reason in the log, unless those that matter are named', async () => {
    const groups = Array.from({ length: 2_000 }, (_, index) => `group-${index}-of-a-large-organisation`);
    provider.person = { sub: 'user-1', groups: [...groups, 'admins'] };
    assert.equal((await logIn(service)).status, 403);
    const [{ check, detail } = assert.fail()] = service.rejected().slice(-1);
    assert.equal(check, 'size');
    assert.match(detail, /at most 1000 groups and roles, got 2001: .*principal\.keepGroups/);

    await using keeping = await startService({
      ...optionsFor(provider),
      principal: { keepGroups: ['group-777-*', 'admins'] },
      adminGroup: 'admins',
      requiredGroups: ['group-1999-of-a-large-organisation'],
    });
    const { principal } = await keeping.tokenInfo(await logIn(keeping));
    assert.deepEqual(principal.groups, ['group-777-of-a-large-organisation', 'admins']);
    assert.ok(principal.adminPrincipal);
  });
});

describe('a provider that fails', () => {
  let provider: TestProvider;
  let service: Service;
  before(async () => {
    provider = await startTestProvider();
    provider.twist = { answer: (_request, response) => Boolean(response.writeHead(503).end()) };
    service = await startService(optionsFor(provider));
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  it('does not keep the server from its start, and each login says so until it is there', async () => {
    const page = await requestLogin(service);
    assert.equal(page.status, 503, page.text);
    assert.match(page.text, /The other service does not answer/);
    assert.equal(page.headers.get('retry-after'), '30');
    provider.twist = {};
    codeOf(await logIn(service));
  });

  it('sends answers that are too large, or leads elsewhere, gets nobody logged in', async () => {
    for (const answer of [
      (response: Parameters<typeof json>[0]) => json(response, { access_token: 'x'.repeat(1_100_000) }),
      (response: Parameters<typeof json>[0]) =>
        void response.writeHead(302, { location: '/elsewhere' }).end(),
    ]) {
      provider.twist = { tokenAnswer: answer };
      assert.equal((await logIn(service)).status, 503);
    }
    assert.ok(!provider.paths.includes('/elsewhere'));
  });

  it('and is gone, or hangs, ends the login with the same page', async () => {
    await using provider = await startTestProvider();
    await using service = await startService({ ...optionsFor(provider), timeout: 1 });
    for (const path of ['/token', '/jwks', '/userinfo']) {
      // It never answers: the login waits for the timeout of the option.
      provider.twist = { answer: ({ url }) => url === path };
      const page = await logIn(service);
      assert.equal(page.status, 503, page.text);
      assert.match(page.text, /The other service does not answer/);
    }
    assert.deepEqual(
      service.rejected().map(({ check }) => check),
      ['unreachable', 'unreachable', 'unreachable'],
    );
    provider.twist = {};
    const agent = new UserAgent();
    const response = await atProvider(await requestLogin(service, agent));
    await provider[Symbol.asyncDispose]();
    assert.equal((await agent.get(response)).status, 503);
  });
});

describe('a provider that fails after it was read', () => {
  let clock: ReturnType<typeof stoppedClock>;
  let provider: TestProvider;
  let service: Service;
  before(async () => {
    clock = stoppedClock();
    provider = await startTestProvider();
    service = await startService(optionsFor(provider));
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    clock[Symbol.dispose]();
  });

  it('does not end logins while what was loaded before is valid: for a day', async () => {
    codeOf(await logIn(service));
    const gone = /^\/(?:jwks|\.well-known)/;
    provider.twist = {
      answer: ({ url = '' }, response) => gone.test(url) && Boolean(response.writeHead(500).end()),
    };
    clock.advance(3600);
    codeOf(await logIn(service));
    clock.advance(82_000);
    codeOf(await logIn(service));
    clock.advance(800);
    assert.equal((await requestLogin(service)).status, 503);
    provider.twist = {};
    codeOf(await logIn(service));
  });

  it('and changes its issuer is no longer asked, and has none of the users of the other one', async () => {
    codeOf(await logIn(service));
    provider.twist = { metadata: () => ({ issuer: 'https://new.example' }) };
    clock.advance(86_400);
    assert.equal((await requestLogin(service)).status, 503);
    assert.equal(service.rejected().at(-1)?.check, 'metadata');
  });
});
