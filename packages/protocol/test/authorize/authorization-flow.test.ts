import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  buildPublicClient,
  emma,
  FakeClock,
  type FlowDependencies,
  flowDependencies,
  memoryStore,
  protocolError,
  seededRandom,
  subjectIn,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type { AuthorizationAnswer } from '../../src/authorize/authorization-answer.ts';
import { KeyRing, type Sealer } from '../../src/keys/key-ring.ts';
import type { AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';
import type { ConsentModule } from '../../src/ports/modules/consent-module.ts';
import { findAccessToken } from '../../src/tokens/find-access-token.ts';

const publicClient = { client_id: 'public-client', response_type: 'token' };

async function authorize(
  deps: FlowDependencies,
  browser: TestBrowser,
  parameters: Record<string, string> = {},
) {
  return browser.take(await deps.authorization.authorize(authorizationRequest(parameters), browser.state));
}

async function logIn(
  deps: FlowDependencies,
  browser: TestBrowser,
  page: AuthorizationAnswer,
  form: Record<string, string> = {},
) {
  assert.ok(page.type === 'login', page.type);
  const filled = submission({ auth_state: page.authState, username: 'emma', ...form });
  return browser.take(await deps.authorization.login(filled, browser.state));
}

async function decide(
  deps: FlowDependencies,
  browser: TestBrowser,
  page: AuthorizationAnswer,
  form: Record<string, string> = { decision: 'allow' },
) {
  assert.ok(page.type === 'consent', page.type);
  const filled = submission({ auth_state: page.authState, ...form });
  return browser.take(await deps.authorization.consent(filled, browser.state));
}

function sent(answer: AuthorizationAnswer): Record<string, string> {
  assert.ok(answer.type === 'redirect', answer.type);
  return Object.fromEntries(answeredParameters(answer.location));
}

async function withImplicit(
  overrides: Parameters<typeof buildPublicClient>[0] = {},
): Promise<FlowDependencies> {
  const deps = await flowDependencies();
  deps.store.putClient(buildPublicClient({ redirectUris: ['https://app.example/cb'], ...overrides }));
  return deps;
}

describe('an authorization through login and consent', () => {
  it('shows which client asks, and ends there with a code, the state and the issuer', async () => {
    const deps = await flowDependencies();
    const page = await authorize(deps, new TestBrowser());
    assert.ok(page.type === 'login', page.type);
    assert.equal(page.request?.client.clientId, 'web-app');
    const { code, ...rest } = Object.fromEntries(await deps.grant({ state: 'xyz' }));
    assert.match(code ?? '', /^wwc_[A-Za-z0-9_-]{70}$/);
    assert.deepEqual(rest, { state: 'xyz', iss: 'https://as.example' });
  });

  it('ends with an access token in the fragment, and never with a refresh token', async () => {
    const deps = await withImplicit({ useRefreshTokens: true });
    const { access_token, ...rest } = Object.fromEntries(
      await deps.grant({ ...publicClient, state: 's&access_token=evil' }),
    );
    assert.deepEqual(rest, {
      token_type: 'bearer',
      expires_in: '900',
      scope: 'read write',
      state: 's&access_token=evil',
      iss: 'https://as.example',
    });
    const found = await findAccessToken(access_token ?? '', deps);
    assert.equal(found?.principal.name, 'emma');
    assert.equal(found?.token.expires, deps.clock.now() + 900_000);
  });

  it('gives an implicit token the lifetime of the client when the client has one', async () => {
    const deps = await withImplicit({ expireDuration: 60 });
    assert.equal((await deps.grant(publicClient)).get('expires_in'), '60');
  });

  it('sends the principal as one encoded parameter to a client with includePrincipal', async () => {
    const name = 'E & #1 %41=x';
    const authenticator: AuthenticationModule = {
      name: 'hostile',
      begin: async () => ({
        type: 'authenticated',
        principal: emma({ attributes: { DISPLAY_NAME: `${name}&access_token=evil` } }),
      }),
      resume: async () => ({ type: 'form' }),
    };
    const deps = await flowDependencies({ authenticator });
    deps.store.putClient(buildPublicClient({ includePrincipal: true, skipConsent: true }));
    const answer = await authorize(deps, new TestBrowser(), publicClient);
    assert.equal(sent(answer).principal, `${name}&access_token=evil`);
    assert.notEqual(sent(answer).access_token, 'evil');
  });

  it('sends the principal to a client with pairwise subjects only with the scope profile', async () => {
    const named = async (scope: string, subjectType: 'pairwise' | 'public') => {
      const deps = await withImplicit({ includePrincipal: true, subjectType, openidScopes: ['profile'] });
      return (await deps.grant({ ...publicClient, scope })).get('principal');
    };
    assert.equal(await named('read', 'pairwise'), null);
    assert.equal(await named('openid', 'pairwise'), null);
    assert.equal(await named('openid profile', 'pairwise'), 'Emma');
    assert.equal(await named('read', 'public'), 'Emma');
  });

  it('asks for consent once, and not again for the same scopes or fewer', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const asked = await logIn(deps, browser, await authorize(deps, browser));
    assert.ok(sent(await decide(deps, browser, asked)).code);
    for (const parameters of [{}, { scope: 'read' }]) {
      assert.ok(sent(await authorize(deps, browser, parameters)).code);
    }
    assert.ok(sent(await authorize(deps, browser, { prompt: 'none' })).code);
  });

  it('asks again for a scope without consent, and shows which scopes are new', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const asked = await logIn(deps, browser, await authorize(deps, browser, { scope: 'read' }));
    await decide(deps, browser, asked);
    const again = await authorize(deps, browser, { scope: 'read write' });
    assert.ok(again.type === 'consent');
    assert.deepEqual(again.consented, ['read']);
    assert.equal(sent(await authorize(deps, browser, { prompt: 'none' })).error, 'consent_required');
    // A scope that is not ticked is no longer consented to.
    await decide(deps, browser, again, { decision: 'allow', granted_scopes: 'write' });
    assert.equal((await authorize(deps, browser, { scope: 'read' })).type, 'consent');
    assert.ok(sent(await authorize(deps, browser, { scope: 'write' })).code);
  });

  it('still has the consent to a scope for which a later request does not ask', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await deps.grant({ scope: 'read write' }, browser);
    await decide(deps, browser, await authorize(deps, browser, { scope: 'write', prompt: 'consent' }));
    assert.ok(sent(await authorize(deps, browser, { scope: 'read write' })).code);
  });

  it('asks each resource owner, and for each redirect URI', async () => {
    const deps = await flowDependencies();
    const redirectUris = ['https://app.example/cb', 'https://app.example/2'];
    deps.store.putClient({ ...deps.webApp, redirectUris });
    await deps.grant();
    const browser = new TestBrowser();
    const other = await logIn(deps, browser, await authorize(deps, browser), { username: 'Emma' });
    assert.equal(other.type, 'consent');
    const same = new TestBrowser();
    assert.ok(sent(await logIn(deps, same, await authorize(deps, same))).code);
    assert.equal((await authorize(deps, same, { redirect_uri: 'https://app.example/2' })).type, 'consent');
  });

  it('remembers no consent for a public client whose response any program can receive', async () => {
    const cases = [
      ['http://127.0.0.1/cb', 'consent'],
      ['com.example.app:/cb', 'consent'],
      ['https://app.example/cb', 'redirect'],
    ] as const;
    for (const [redirect_uri, second] of cases) {
      const deps = await withImplicit({ redirectUris: [redirect_uri] });
      const browser = new TestBrowser();
      const parameters = { ...publicClient, redirect_uri };
      await decide(deps, browser, await logIn(deps, browser, await authorize(deps, browser, parameters)));
      assert.equal((await authorize(deps, browser, parameters)).type, second, redirect_uri);
    }
  });

  it('asks for consent again when such a client becomes confidential', async () => {
    const redirect_uri = 'http://127.0.0.1/cb';
    const deps = await withImplicit({ redirectUris: [redirect_uri] });
    const browser = new TestBrowser();
    await deps.grant({ ...publicClient, redirect_uri }, browser);
    const client = deps.store.registry.clientByClientId('public-client') ?? assert.fail('no client');
    deps.store.putClient({ ...client, confidential: true, allowedImplicitGrant: false });
    const parameters = { client_id: 'public-client', redirect_uri };
    assert.equal((await authorize(deps, browser, parameters)).type, 'consent');
  });

  it('asks for consent again when a client becomes public whose response any program can receive', async () => {
    for (const [redirect_uri, second] of [
      ['http://127.0.0.1/cb', 'consent'],
      ['https://app.example/cb', 'redirect'],
    ] as const) {
      const deps = await flowDependencies();
      const client = deps.store.putClient({ ...deps.webApp, redirectUris: [redirect_uri] });
      const browser = new TestBrowser();
      await deps.grant({ redirect_uri }, browser);
      deps.store.putClient({ ...client, confidential: false, secret: undefined });
      const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
      assert.equal((await authorize(deps, browser, { redirect_uri, ...pkce })).type, second, redirect_uri);
    }
  });

  it('asks for consent each time when the client has no scope, because no answer covers nothing', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, scopes: [] });
    const browser = new TestBrowser();
    const asked = await logIn(deps, browser, await authorize(deps, browser));
    assert.equal(asked.type, 'consent');
    assert.equal(sent(await authorize(deps, browser, { prompt: 'none' })).error, 'consent_required');
    assert.ok(sent(await decide(deps, browser, asked)).code);
    assert.equal((await authorize(deps, browser)).type, 'consent');
  });

  it('reports each login once with its authenticator, and no login for a session that continues', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await logIn(deps, browser, await authorize(deps, browser));
    await authorize(deps, browser);
    assert.deepEqual(deps.loggedInBy, ['test-login']);
  });

  it('reports a denial to the client, and grants nothing', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const asked = await logIn(deps, browser, await authorize(deps, browser, { state: 's' }));
    const { error, state } = sent(await decide(deps, browser, asked, { decision: 'deny' }));
    assert.deepEqual([error, state], ['access_denied', 's']);
    assert.equal((await authorize(deps, browser)).type, 'consent');
  });

  it('grants the ticked scopes, and rejects a scope that was not requested', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const asked = await logIn(deps, browser, await authorize(deps, browser, { scope: 'read' }));
    const more = decide(deps, browser, asked, { decision: 'allow', granted_scopes: 'write' });
    await assert.rejects(more, protocolError('invalid_request'));
    assert.equal((await authorize(deps, browser)).type, 'consent');
  });

  it('asks for no consent for a client that skips it', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, skipConsent: true });
    const browser = new TestBrowser();
    assert.ok(sent(await logIn(deps, browser, await authorize(deps, browser))).code);
  });

  it('asks for consent for a public client that skips it where any program can listen', async () => {
    const redirectUris = [
      'https://app.example/cb',
      'https://as.example/page',
      'http://127.0.0.1:7/cb',
      'http://[::1]/cb',
      'http://localhost/cb',
      'com.example.app:/cb',
    ];
    const deps = await withImplicit({ skipConsent: true, redirectUris });
    const browser = new TestBrowser();
    const outcomes = [];
    for (const redirect_uri of redirectUris) {
      const answer = await authorize(deps, browser, { ...publicClient, redirect_uri });
      outcomes.push((answer.type === 'login' ? await logIn(deps, browser, answer) : answer).type);
    }
    assert.deepEqual(outcomes, ['redirect', 'redirect', 'consent', 'consent', 'consent', 'consent']);
    const silently = { ...publicClient, redirect_uri: 'com.example.app:/cb', prompt: 'none' };
    assert.equal(sent(await authorize(deps, browser, silently)).error, 'consent_required');
    deps.store.putClient({ ...deps.webApp, redirectUris, skipConsent: true });
    for (const redirect_uri of redirectUris) {
      assert.equal((await authorize(deps, browser, { redirect_uri })).type, 'redirect', redirect_uri);
    }
  });

  it('takes an error before any login to a client only if a user is logged in, and shows it first otherwise', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, trusted: false });
    const browser = new TestBrowser();
    assert.equal((await authorize(deps, browser, { scope: 'admin' })).type, 'error');
    await logIn(deps, browser, await authorize(deps, browser));
    assert.equal(sent(await authorize(deps, browser, { scope: 'admin' })).error, 'invalid_scope');
  });

  it('takes an error at once to a client that asked for more than a login without a page gave', async () => {
    const authenticator: AuthenticationModule = {
      name: 'test-login',
      begin: async () => ({ type: 'authenticated', principal: emma(), authenticatedAt: 1 }),
      resume: async () => ({ type: 'form' }),
    };
    const deps = await flowDependencies({ authenticator });
    deps.store.putClient({ ...deps.webApp, trusted: false });
    assert.equal(sent(await authorize(deps, new TestBrowser(), { max_age: '60' })).error, 'login_required');
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'strong' } } });
    const { error } = sent(await authorize(deps, new TestBrowser(), { scope: 'openid', claims }));
    assert.equal(error, 'unmet_authentication_requirements');
  });

  it('leaves out a state that the client did not send', async () => {
    const deps = await flowDependencies();
    assert.deepEqual([...(await deps.grant()).keys()].toSorted(), ['code', 'iss']);
  });

  it('asks for no second login while the session is valid', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await logIn(deps, browser, await authorize(deps, browser));
    assert.equal((await authorize(deps, browser)).type, 'consent');
    for (let minute = 0; minute < 5; minute += 1) {
      deps.clock.advance(999_000);
      assert.equal((await authorize(deps, browser)).type, 'consent');
    }
    deps.clock.advance(5000);
    assert.equal((await authorize(deps, browser)).type, 'login');
  });

  it('asks for a login when the session was idle too long', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await logIn(deps, browser, await authorize(deps, browser));
    deps.clock.advance(1_000_000);
    assert.equal((await authorize(deps, browser)).type, 'login');
  });

  it('asks for a login when the client requests it by prompt or max_age', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await logIn(deps, browser, await authorize(deps, browser));
    deps.clock.advance(10_000);
    assert.equal((await authorize(deps, browser, { prompt: 'login' })).type, 'login');
    assert.equal((await authorize(deps, browser, { max_age: '10' })).type, 'login');
    assert.equal((await authorize(deps, browser, { max_age: '0' })).type, 'login');
    assert.equal((await authorize(deps, browser, { max_age: '11' })).type, 'consent');
    const again = await logIn(deps, browser, await authorize(deps, browser, { prompt: 'login' }));
    assert.equal(again.type, 'consent');
  });

  it('asks for consent again when the client requests it by prompt', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await deps.grant({}, browser);
    assert.equal((await authorize(deps, browser, { prompt: 'consent' })).type, 'consent');
  });

  it('does not accept a session of another authentication module', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await logIn(deps, browser, await authorize(deps, browser));
    assert.notEqual(await deps.sessions.current(browser.state, new Set(['test-login'])), undefined);
    assert.equal(await deps.sessions.current(browser.state, new Set(['password'])), undefined);
  });

  it('starts a new session at each login, and ends the old one', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await logIn(deps, browser, await authorize(deps, browser));
    const before = browser.state;
    await logIn(deps, browser, await authorize(deps, browser, { prompt: 'login' }));
    assert.notEqual(browser.state.session, before.session);
    assert.equal(await deps.sessions.current(before, new Set(['test-login'])), undefined);
  });

  it('starts one session by a login page that is submitted twice', async () => {
    const { authorization, store, sessions, dependencies } = await flowDependencies();
    const browser = new TestBrowser();
    const page = browser.take(await authorization.authorize(authorizationRequest(), browser.state));
    assert.ok(page.type === 'login', page.type);
    const form = submission({ auth_state: page.authState, username: 'emma' });
    const state = browser.state;
    await Promise.all([authorization.login(form, state), authorization.login(form, state)]);
    browser.take(await authorization.login(form, state));
    const [session, ...others] = await store.loginSessions.list({ limit: 9 });
    assert.deepEqual(others, []);
    assert.equal((await sessions.current(browser.state, dependencies.authenticators))?.id, session?.id);
    const finn = submission({ auth_state: page.authState, username: 'finn' });
    await authorization.login(finn, state);
    const names = (await store.loginSessions.list({ limit: 9 })).map(({ owner }) => owner.principal.name);
    assert.deepEqual(names.toSorted(), ['emma', 'finn']);
  });

  it('sends access_denied to the client when the module denies the login', async () => {
    const authenticator: AuthenticationModule = {
      name: 'refusing',
      begin: async () => ({ type: 'refused', description: 'Not a member.' }),
      resume: async () => ({ type: 'form' }),
    };
    const deps = await flowDependencies({ authenticator });
    const { error, error_description } = sent(await authorize(deps, new TestBrowser()));
    assert.deepEqual([error, error_description], ['access_denied', 'Not a member.']);
    await assert.rejects(
      deps.authorization.loginForAccount(new TestBrowser().state, '/account'),
      protocolError('access_denied'),
    );
  });

  it('keeps the user logged in when the consent module denies without a page', async () => {
    const consent: ConsentModule = {
      name: 'denying',
      begin: async () => ({ type: 'denied' }),
      resume: async () => ({ type: 'denied' }),
    };
    const deps = await flowDependencies({ consent });
    const browser = new TestBrowser();
    const answer = await logIn(deps, browser, await authorize(deps, browser));
    assert.equal(sent(answer).error, 'access_denied');
    assert.equal(answer.error?.kind, 'access_denied');
    assert.notEqual(await deps.sessions.current(browser.state, new Set(['test-login'])), undefined);
  });

  it('grants nothing to a client that is deleted while the module authenticates', async () => {
    const authenticator: AuthenticationModule = {
      name: 'slow',
      begin: async () => ({ type: 'form' }),
      resume: async () => {
        await deps.store.clients.delete(deps.webApp.id);
        return { type: 'authenticated', principal: emma() };
      },
    };
    const deps: FlowDependencies = await flowDependencies({ authenticator });
    deps.store.putClient({ ...deps.webApp, skipConsent: true });
    const browser = new TestBrowser();
    const page = await authorize(deps, browser);
    await assert.rejects(logIn(deps, browser, page), /registration of the client has changed/);
  });

  it('reduces the text of a module that denies to the characters that error_description can have', async () => {
    const description = `Kein Zugang für "emma"\\\r\n\u{1f511}${'.'.repeat(1000)}`;
    const authenticator: AuthenticationModule = {
      name: 'refusing',
      begin: async () => ({ type: 'refused', description }),
      resume: async () => ({ type: 'form' }),
    };
    const deps = await flowDependencies({ authenticator });
    const { error_description = '' } = sent(await authorize(deps, new TestBrowser()));
    assert.match(error_description, /^Kein Zugang f\?r \?emma\?{5}\.+$/);
    assert.ok(error_description.length <= 500);
  });

  it('lets a module send the browser to another server, and returns to it what it kept', async () => {
    const seen: unknown[] = [];
    const authenticator: AuthenticationModule = {
      name: 'elsewhere',
      begin: async () => ({
        type: 'redirect',
        location: (authState) => `https://idp.example/?RelayState=${authState}`,
        state: { requestId: 'id-1' },
      }),
      resume: async ({ state, client }) => {
        seen.push(state, client?.clientId);
        return { type: 'authenticated', principal: emma(), identityProvider: 'https://idp.example' };
      },
    };
    const deps = await flowDependencies({ authenticator });
    const browser = new TestBrowser();
    const away = await authorize(deps, browser);
    assert.ok(away.type === 'forward');
    const auth_state = new URL(away.location).searchParams.get('RelayState') ?? '';
    const back = browser.take(await deps.authorization.login(submission({ auth_state }), browser.state));
    assert.ok(back.type === 'consent');
    assert.deepEqual(seen, [{ requestId: 'id-1' }, 'web-app']);
    assert.equal(back.owner.identityProvider, 'https://idp.example');
  });

  it('ends the session and requests a new login of the module when the user is another person', async () => {
    const begun: boolean[] = [];
    const authenticator: AuthenticationModule = {
      name: 'test-login',
      begin: async ({ isFresh }) => {
        begun.push(isFresh);
        return { type: 'form' };
      },
      resume: async () => ({ type: 'authenticated', principal: emma() }),
    };
    const deps = await flowDependencies({ authenticator });
    const browser = new TestBrowser();
    const shown = await logIn(deps, browser, await authorize(deps, browser, { state: 'kept' }));
    assert.ok(shown.type === 'consent', shown.type);
    const form = submission({ auth_state: shown.authState });
    const before = browser.state;
    const login = browser.take(await deps.authorization.switchOwner(form, before));
    assert.deepEqual(begun, [false, true]);
    assert.equal(browser.state.session, undefined);
    assert.equal(await deps.sessions.current(before, new Set(['test-login'])), undefined);
    const again = await logIn(deps, browser, login);
    assert.equal(sent(await decide(deps, browser, again)).state, 'kept');
  });

  it('requests a new login of another person also when the session has ended meanwhile', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const shown = await logIn(deps, browser, await authorize(deps, browser));
    assert.ok(shown.type === 'consent');
    await deps.sessions.end(browser.state, { clientId: undefined, source: '192.0.2.7' });
    const form = submission({ auth_state: shown.authState });
    assert.equal((await deps.authorization.switchOwner(form, browser.state)).type, 'login');
  });

  it('does not end the session of a person who logged in after the page was shown to another', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const shown = await logIn(deps, browser, await authorize(deps, browser));
    assert.ok(shown.type === 'consent');
    const login = await authorize(deps, browser, { prompt: 'login' });
    await logIn(deps, browser, login, { username: 'mallory' });
    const form = submission({ auth_state: shown.authState });
    const answer = browser.take(await deps.authorization.switchOwner(form, browser.state));
    assert.ok(answer.type === 'consent', answer.type);
    assert.equal(answer.owner.principal.name, 'mallory');
    assert.notEqual(await deps.sessions.current(browser.state, new Set(['test-login'])), undefined);
  });

  it('leads to the page of the own account that the user asked for when no client asks', async () => {
    for (const path of ['/account', '/account/password'] as const) {
      const deps = await flowDependencies();
      const browser = new TestBrowser();
      const page = browser.take(await deps.authorization.loginForAccount(browser.state, path));
      const again = await logIn(deps, browser, page, { username: '' });
      const after = await logIn(deps, browser, again);
      assert.ok(after.type === 'redirect');
      assert.equal(after.location, `https://as.example${path}`);
    }
  });
});

/** One node seals each form, and another opens it. */
async function sealerOfTwoNodes(): Promise<Sealer> {
  const nodes = { ...memoryStore(), clock: new FakeClock(), random: seededRandom('nodes') };
  const [one, two] = [await KeyRing.open(nodes), await KeyRing.open(nodes)];
  return {
    seal: (purpose, value) => one.seal(purpose, value),
    open: (purpose, sealed) => two.open(purpose, sealed),
    sealText: (purpose, text) => one.sealText(purpose, text),
    openText: (purpose, sealed) => two.openText(purpose, sealed),
  };
}

// A node remembers the forms that it made itself, and nothing else may be different.
for (const [where, overrides] of [
  ['this node', async () => ({})],
  ['another node', async () => ({ sealer: await sealerOfTwoNodes() })],
] as const) {
  describe(`a form of the server that ${where} made`, () => {
    it('is rejected in another browser, and stays valid in its own', async () => {
      const deps = await flowDependencies(await overrides());
      const [victim, thief] = [new TestBrowser(), new TestBrowser()];
      const page = await authorize(deps, victim);
      await authorize(deps, thief);
      await assert.rejects(logIn(deps, thief, page), protocolError('invalid_auth_state'));
      assert.equal((await logIn(deps, victim, page)).type, 'consent');
    });

    it('is rejected without the binding cookie, and without auth_state', async () => {
      const deps = await flowDependencies(await overrides());
      const browser = new TestBrowser();
      const page = await authorize(deps, browser);
      await assert.rejects(logIn(deps, new TestBrowser(), page), protocolError('unbound_submission'));
      await assert.rejects(
        logIn(deps, browser, page, { auth_state: '' }),
        protocolError('unbound_submission'),
      );
    });

    it('replaces a binding cookie that has not the form of one of this server', async () => {
      const deps = await flowDependencies(await overrides());
      const state = { ...new TestBrowser().state, waiting: new Map() };
      for (const [binding, isKept] of [
        ['x'.repeat(43), true],
        ['x'.repeat(42), false],
        ['x'.repeat(44), false],
        ['', false],
        [`${'x'.repeat(42)};`, false],
      ] as const) {
        const { cookies } = await deps.authorization.authorize(authorizationRequest(), { ...state, binding });
        assert.equal(cookies.binding === undefined, isKept, binding);
        if (!isKept) assert.match(cookies.binding ?? '', /^[\w-]{43}$/);
      }
    });

    it('starts its request again when it is too old', async () => {
      const deps = await flowDependencies(await overrides());
      const browser = new TestBrowser();
      const [inTime, late] = [await authorize(deps, browser), await authorize(deps, browser)];
      deps.clock.advance(599_999);
      await logIn(deps, browser, inTime);
      deps.clock.advance(1);
      await deps.sessions.end(browser.state, { clientId: undefined, source: '' });
      const again = await logIn(deps, browser, late);
      assert.equal(again.type, 'login');
      assert.equal((await logIn(deps, browser, again)).type, 'consent');
    });

    it('is rejected when auth_state was changed in any way', async () => {
      const deps = await flowDependencies(await overrides());
      const browser = new TestBrowser();
      const page = await authorize(deps, browser);
      assert.ok(page.type === 'login');
      const { authState } = page;
      const flipped = `${authState.slice(0, 40)}${authState[40] === 'A' ? 'B' : 'A'}${authState.slice(41)}`;
      for (const wrong of [
        authState.slice(0, -1),
        `${authState}A`,
        flipped,
        authState.replace('.', ''),
        `x${authState}`,
        "' OR 1=1",
        'A'.repeat(10_240),
      ]) {
        const changed = logIn(deps, browser, page, { auth_state: wrong });
        await assert.rejects(changed, protocolError('invalid_auth_state'), wrong.slice(0, 20));
      }
    });

    it('is valid for its own step only', async () => {
      const deps = await flowDependencies(await overrides());
      const browser = new TestBrowser();
      const login = await authorize(deps, browser);
      assert.ok(login.type === 'login');
      const asConsent = submission({ auth_state: login.authState, decision: 'allow' });
      await assert.rejects(
        deps.authorization.consent(asConsent, browser.state),
        protocolError('invalid_auth_state'),
      );
      const both = { decision: 'allow', granted_scopes: 'read' };
      const consent = await logIn(deps, browser, login, both);
      assert.ok(consent.type === 'consent');
      const asLogin = submission({ auth_state: consent.authState, username: 'emma' });
      await assert.rejects(
        deps.authorization.login(asLogin, browser.state),
        protocolError('invalid_auth_state'),
      );
    });

    it('grants nothing for a user who logged in after it was shown', async () => {
      const deps = await flowDependencies(await overrides());
      const browser = new TestBrowser();
      const shownToEmma = await logIn(deps, browser, await authorize(deps, browser));
      await logIn(deps, browser, await authorize(deps, browser, { prompt: 'login' }), {
        username: 'mallory',
      });
      const answer = await decide(deps, browser, shownToEmma);
      assert.ok(answer.type === 'consent');
      assert.equal(answer.owner.principal.name, 'mallory');
    });

    it('is rejected once the client or its redirect URI is no longer registered', async () => {
      const deps = await flowDependencies(await overrides());
      const browser = new TestBrowser();
      const page = await authorize(deps, browser);
      deps.store.putClient({ ...deps.webApp, redirectUris: ['https://app.example/new'] });
      await assert.rejects(logIn(deps, browser, page), protocolError('invalid_request'));
      await deps.store.clients.delete(deps.webApp.id);
      await assert.rejects(logIn(deps, browser, page), protocolError('invalid_request'));
    });

    it('is rejected when the client loses its redirect URI while the consent page is shown', async () => {
      const deps = await flowDependencies(await overrides());
      const browser = new TestBrowser();
      const page = await logIn(deps, browser, await authorize(deps, browser));
      deps.store.putClient({ ...deps.webApp, redirectUris: ['https://app.example/new'] });
      await assert.rejects(decide(deps, browser, page), /registration of the client has changed/);
    });
  });
}

describe('a login that is no longer valid once its session is stored', () => {
  const changing = (holds: boolean): AuthenticationModule => ({
    name: 'changing',
    begin: async () => ({ type: 'form' }),
    resume: async () => ({ type: 'authenticated', principal: emma(), stillHolds: async () => holds }),
  });

  it('ends its session, and sends access_denied to the client', async () => {
    const deps = await flowDependencies({ authenticator: changing(false) });
    const started: string[] = [];
    const { loginSessions } = deps.store;
    const insert = loginSessions.insert;
    loginSessions.insert = (session) => {
      started.push(session.id);
      return insert(session);
    };
    const browser = new TestBrowser();
    const answer = await logIn(deps, browser, await authorize(deps, browser));
    assert.equal(sent(answer).error, 'access_denied');
    assert.deepEqual(answer.cookies, {});
    assert.equal(started.length, 1);
    assert.equal(await loginSessions.find(started[0] ?? ''), undefined);
    const page = await deps.authorization.loginForAccount(browser.state, '/account');
    await assert.rejects(logIn(deps, browser, browser.take(page)), protocolError('access_denied'));
  });

  it('goes on where it is still valid', async () => {
    const deps = await flowDependencies({ authenticator: changing(true) });
    assert.ok((await deps.grant()).has('code'));
  });
});

describe('a login session or a consent that ends while the response is being stored', () => {
  const owner = { identityProvider: 'test-login', name: 'emma' };

  const endings: [what: string, parameters: Record<string, string>][] = [
    ['a code', {}],
    ['a token', publicClient],
  ];
  for (const [what, parameters] of endings) {
    it(`hands out no ${what.slice(2)}, leaves no valid grant, and asks for a login`, async () => {
      const deps = await withImplicit({ skipConsent: true });
      deps.store.putClient({ ...deps.webApp, skipConsent: true });
      const browser = new TestBrowser();
      await logIn(deps, browser, await authorize(deps, browser));
      const issued = await grantsOf(deps);
      meanwhile(deps, () => deps.sessions.end(browser.state, { clientId: undefined, source: '192.0.2.7' }));
      const answer = await authorize(deps, browser, parameters);
      assert.equal(answer.type, 'login');
      assert.deepEqual(await grantsOf(deps), issued);
    });
  }

  it('is reported to a client that forbids pages', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, skipConsent: true });
    const browser = new TestBrowser();
    await logIn(deps, browser, await authorize(deps, browser));
    meanwhile(deps, () => deps.sessions.end(browser.state, { clientId: undefined, source: '192.0.2.7' }));
    assert.equal(sent(await authorize(deps, browser, { prompt: 'none' })).error, 'login_required');
  });

  it('asks for consent again when it was withdrawn, and leaves no valid grant', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    await deps.grant({}, browser);
    const subject = await subjectIn(deps.store, owner);
    meanwhile(deps, () =>
      deps.store.grants.withdraw(subject, [{ clientRecordId: deps.webApp.id }], deps.clock.now()),
    );
    assert.equal((await authorize(deps, browser)).type, 'consent');
    assert.deepEqual(await grantsOf(deps), []);
    const silently = await authorize(deps, browser, { prompt: 'none' });
    assert.equal(sent(silently).error, 'consent_required');
  });

  it('leaves no valid grant without its consent, also of a token', async () => {
    const deps = await withImplicit();
    const browser = new TestBrowser();
    const shown = await logIn(deps, browser, await authorize(deps, browser, publicClient));
    deps.store.consents.save = async () => false;
    const again = await decide(deps, browser, shown);
    assert.equal(again.type, 'answered');
    assert.deepEqual(await grantsOf(deps), []);
  });

  it('is looked for again at most twenty times', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, skipConsent: true });
    let stores = 0;
    deps.store.authorizationCodes.insert = async () => {
      stores += 1;
      assert.ok(stores < 30, 'there is no end');
      return false;
    };
    await assert.rejects(deps.grant(), protocolError('temporarily_unavailable'));
    assert.equal(stores, 21);
  });

  it('asks the next user for consent, even after a consent before, when it was the answer to a consent page', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const browser = new TestBrowser();
    const shown = await logIn(deps, browser, await authorize(deps, browser), { username: 'anna' });
    meanwhile(deps, () => deps.sessions.end(browser.state, { clientId: undefined, source: '192.0.2.7' }));
    const login = await decide(deps, browser, shown);
    const asked = await logIn(deps, browser, login);
    assert.ok(asked.type === 'consent', asked.type);
    assert.equal(asked.owner.principal.name, 'emma');
  });

  it('leaves the browser the cookies of a login whose response could not be sent', async () => {
    const authenticator: AuthenticationModule = {
      name: 'test-login',
      begin: async () => ({ type: 'authenticated', principal: emma() }),
      resume: async () => ({ type: 'form' }),
    };
    const deps = await flowDependencies({ authenticator });
    const [settled, browser] = [new TestBrowser(), new TestBrowser()];
    await decide(deps, settled, await authorize(deps, settled));
    const { store, clock } = deps;
    const subject = await subjectIn(store, owner);
    meanwhile(deps, () => store.grants.withdraw(subject, [{ clientRecordId: deps.webApp.id }], clock.now()));
    assert.equal((await authorize(deps, browser)).type, 'consent');
    assert.notEqual(await deps.sessions.current(browser.state, new Set(['test-login'])), undefined);
  });

  /** Does that just before the next grant is stored. */
  function meanwhile({ store }: FlowDependencies, change: () => Promise<unknown>): void {
    for (const part of [store.authorizationCodes, store.grants]) {
      const insert = part.insert.bind(part) as (...given: unknown[]) => Promise<boolean>;
      part.insert = async (...given: unknown[]) => {
        await change();
        return insert(...given);
      };
    }
  }

  async function grantsOf({ store, clock }: FlowDependencies): Promise<string[]> {
    const subject = await subjectIn(store, owner);
    return (await store.grants.listBySubject(subject, clock.now())).map(({ grant }) => grant.id);
  }
});
