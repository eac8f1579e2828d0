import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  buildResourceOwner,
  buildResourceServer,
  emma,
  type FlowDependencies,
  flowDependencies,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { isAdministratorNow, isStaleLogin } from '../../src/authorize/needs-login.ts';
import { loginTime } from '../../src/authorize/sessions/login-time.ts';
import { parseBearerValue } from '../../src/index.ts';
import type { Authenticated, AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';

const second = 1000;

/** A flow whose module returns a login of that age, in seconds. */
async function flow(age: number, known: Partial<Authenticated> = {}): Promise<FlowDependencies> {
  const authenticator: AuthenticationModule = {
    name: 'test-login',
    begin: async () => ({ type: 'form' }),
    resume: async () => ({
      type: 'authenticated',
      principal: emma(),
      authenticatedAt: deps.clock.now() - age * second,
      ...known,
    }),
  };
  const deps = await flowDependencies({ authenticator });
  return deps;
}

/** Where a request leads in this browser, after a login where one is asked for: the page, or the response to the client. */
async function request(
  deps: FlowDependencies,
  browser: TestBrowser,
  parameters: Record<string, string> = {},
) {
  const request = authorizationRequest(parameters);
  const page = browser.take(await deps.authorization.authorize(request, browser.state));
  if (page.type !== 'login') return { wasAsked: false, answer: page };
  const form = submission({ auth_state: page.authState });
  return { wasAsked: true, answer: browser.take(await deps.authorization.login(form, browser.state)) };
}

async function sessionOf({ store }: FlowDependencies, browser: TestBrowser) {
  const session = await store.loginSessions.find(
    parseBearerValue('session', browser.state.session ?? '')?.id ?? '',
  );
  assert.ok(session !== undefined);
  return session;
}

describe('the authentication of a grant', () => {
  it('is that of the login session: when, how, how strong, which session, by which identity provider', async () => {
    const identityProvider = 'https://idp.example';
    const claims = { email: 'emma@example.org', email_verified: true };
    const acr = 'https://refeds.org/profile/mfa';
    const known = { identityProvider, amr: ['pwd', 'otp'], acr, claims };
    const deps = await flow(60, known);
    const browser = new TestBrowser();
    const code = (await deps.grant({}, browser)).get('code') ?? '';
    const session = await sessionOf(deps, browser);
    assert.deepEqual(session.authentication, {
      authenticatedAt: deps.clock.now() - 60 * second,
      ...known,
      sessionId: session.id,
    });
    assert.equal(session.creationDate, deps.clock.now());
    const found = await deps.store.authorizationCodes.find(parseBearerValue('code', code)?.id ?? '');
    assert.deepEqual(found?.grant?.authentication, session.authentication);

    const redeem = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/cb' };
    const tokens = await deps.token(redeem);
    const refresh = parseBearerValue('refresh', tokens.refresh_token ?? '')?.id ?? '';
    const access = parseBearerValue('access', tokens.access_token)?.id ?? '';
    const { refreshTokens, accessTokens } = deps.store;
    assert.deepEqual((await refreshTokens.find(refresh))?.grant.authentication, session.authentication);
    assert.deepEqual((await accessTokens.find(access))?.grant?.authentication, session.authentication);
  });

  it('is of now, of the module itself, and says nothing else where the module knows no more', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await deps.grant({}, browser);
    const { id, authentication } = await sessionOf(deps, browser);
    const expected = { authenticatedAt: deps.clock.now(), sessionId: id, identityProvider: 'test-login' };
    assert.deepEqual(authentication, expected);
  });
});

describe('the age of a login', () => {
  const now = Date.UTC(2026, 0, 1);

  it('is counted from the login at the identity provider, and none lies ahead of now', () => {
    assert.equal(loginTime({}, now), now);
    assert.equal(loginTime({ authenticatedAt: now - 5 }, now), now - 5);
    assert.equal(loginTime({ authenticatedAt: now + 60_000 }, now), now);
  });

  it('of a login that was just returned may exceed max_age by the tolerance of clocks, for prompt=login that alone', () => {
    const isStale = (
      age: number,
      maxAge: number | undefined,
      prompt: readonly ('login' | 'consent')[] = [],
    ) => isStaleLogin({ prompt, ...(maxAge !== undefined && { maxAge }) }, now - age * second, now);
    assert.deepEqual([isStale(1e6, undefined), isStale(1e6, undefined, ['consent'])], [false, false]);
    assert.deepEqual([isStale(300, 0), isStale(301, 0)], [false, true]);
    assert.deepEqual([isStale(400, 100), isStale(401, 100)], [false, true]);
    assert.deepEqual([isStale(300, undefined, ['login']), isStale(301, undefined, ['login'])], [false, true]);
    assert.ok(isStale(301, 3600, ['login']));
  });

  it('of a session elsewhere makes max_age ask again, and the session here does not look fresh', async () => {
    const deps = await flow(50);
    const browser = new TestBrowser();
    await deps.grant({}, browser);
    assert.ok(!(await request(deps, browser, { max_age: '51' })).wasAsked);
    assert.ok((await request(deps, browser, { max_age: '50' })).wasAsked);
    const { answer } = await request(deps, browser, { max_age: '50', prompt: 'none' });
    assert.ok(answer.type === 'redirect', answer.type);
    assert.equal(answeredParameters(answer.location).get('error'), 'login_required');
  });

  it('accepts an administrator whom the identity provider authenticated within the hour', async () => {
    const deps = await flow(7200, { principal: emma({ adminPrincipal: true }) });
    deps.store.putResourceServer(buildResourceServer({ owner: 'watchword', ownerAuthority: 'system' }));
    const browser = new TestBrowser();
    await deps.grant({}, browser);
    assert.ok(!(await request(deps, browser)).wasAsked);
  });

  it('of an administrator is at most an hour where administrators work, and as long as the session elsewhere', async () => {
    const hour = 3_600_000;
    const wasAskedAfter = async (adminPrincipal: boolean, isAdministration: boolean, age: number) => {
      const deps = await flow(0, { principal: emma({ adminPrincipal }) });
      if (isAdministration) {
        deps.store.putResourceServer(buildResourceServer({ owner: 'watchword', ownerAuthority: 'system' }));
      }
      const browser = new TestBrowser();
      await deps.grant({}, browser);
      for (let passed = 0; passed < age; passed += 900_000) {
        deps.clock.advance(Math.min(900_000, age - passed));
        if (passed + 900_000 < age) await request(deps, browser);
      }
      return (await request(deps, browser)).wasAsked;
    };
    assert.deepEqual(
      [
        await wasAskedAfter(true, true, hour - 1),
        await wasAskedAfter(true, true, hour),
        await wasAskedAfter(true, false, hour),
        await wasAskedAfter(false, true, hour),
      ],
      [false, true, false, false],
    );
    const owner = (adminPrincipal: boolean) => ({
      ...buildResourceOwner(),
      principal: emma({ adminPrincipal }),
    });
    const isNow = (adminPrincipal: boolean, age: number) =>
      isAdministratorNow({ owner: owner(adminPrincipal), creationDate: now - age }, now);
    assert.deepEqual([isNow(true, hour - 1), isNow(true, hour), isNow(false, 0)], [true, false, false]);
  });

  it('returned by the module although a new login was requested is rejected, and starts no session', async () => {
    const deps = await flow(3600);
    for (const parameters of [{ prompt: 'login' }, { max_age: '600' }]) {
      const browser = new TestBrowser();
      const { answer } = await request(deps, browser, { ...parameters, state: 's' });
      assert.ok(answer.type === 'redirect', answer.type);
      const told = answeredParameters(answer.location);
      assert.deepEqual([told.get('error'), told.get('state')], ['login_required', 's']);
      assert.match(told.get('error_description') ?? '', /older than the client accepts/);
      assert.equal(browser.state.session, undefined);
    }
    assert.equal((await request(deps, new TestBrowser(), { max_age: '3600' })).answer.type, 'consent');
  });
});
