import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  Authenticated,
  AuthenticationContext,
  AuthenticationModule,
  LoginStrength,
} from '@watchword/protocol';
import {
  authorizationRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  sent,
  submission,
  TestBrowser,
} from '@watchword/testkit';

const issuer = 'https://as.example';
type Claims = Record<string, unknown>;
const providers = { 'test-login': { mfa: ['gold'] } };

/** A server whose users have the subject of the attribute, and whose logins have the class that the form names. */
async function provider(strength: Partial<LoginStrength> = {}) {
  const contexts: AuthenticationContext[] = [];
  const authenticator: AuthenticationModule = {
    name: 'test-login',
    begin: async (context) => {
      contexts.push(context);
      return { type: 'form' };
    },
    resume: async (_context, form): Promise<Authenticated> => {
      const [name = 'emma'] = form.get('username') ?? [];
      const [acr] = form.get('acr') ?? [];
      return { type: 'authenticated', principal: emma({ name }), ...(acr !== undefined && { acr }) };
    },
  };
  const deps = await flowDependencies({
    authenticator,
    strength: { classes: {}, providers: {}, ...strength },
  });
  deps.store.putClient({ ...deps.webApp, skipConsent: true });
  return { deps, contexts };
}

async function ask(
  { authorization }: FlowDependencies,
  browser: TestBrowser,
  parameters: Record<string, string>,
) {
  const request = authorizationRequest({ scope: 'openid', ...parameters });
  return browser.take(await authorization.authorize(request, browser.state));
}

type Answer = Awaited<ReturnType<typeof ask>>;

async function logIn(
  { authorization }: FlowDependencies,
  browser: TestBrowser,
  page: Answer,
  form: Record<string, string>,
) {
  assert.ok(page.type === 'login', page.type);
  return browser.take(
    await authorization.login(submission({ auth_state: page.authState, ...form }), browser.state),
  );
}

/** Logs in. Resolves with the `sub` that the client knows. */
async function loggedIn(deps: FlowDependencies, browser: TestBrowser, form: Record<string, string> = {}) {
  assert.equal(sent(await logIn(deps, browser, await ask(deps, browser, { prompt: 'login' }), form)), 'code');
  const session = await deps.sessions.current(browser.state, deps.dependencies.authenticators);
  assert.ok(session !== undefined);
  return deps.subjects.subjectFor(deps.webApp, session.owner);
}

function hint(
  { signer, clock }: FlowDependencies,
  claims: Claims,
  type: 'JWT' | 'at+jwt' | 'logout+jwt' = 'JWT',
) {
  const iat = Math.floor(clock.now() / 1000);
  const all = { iss: issuer, aud: 'web-app', iat, exp: iat + 600, ...claims };
  return signer.sign(all, { algorithm: 'EdDSA', type });
}

describe('id_token_hint', () => {
  it('names the user for whom the client gets an answer', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const sub = await loggedIn(deps, browser);
    const id_token_hint = await hint(deps, { sub });
    assert.equal(sent(await ask(deps, browser, { id_token_hint, prompt: 'none' })), 'code');
  });

  it('names them after its expiry and with any nonce too', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const sub = await loggedIn(deps, browser);
    const id_token_hint = await hint(deps, { sub, exp: 1, nonce: 'old', azp: 'web-app' });
    assert.equal(sent(await ask(deps, browser, { id_token_hint, prompt: 'none' })), 'code');
  });

  it('leads to a login if another user is logged in, and to login_required if it must not', async () => {
    const { deps, contexts } = await provider();
    const browser = new TestBrowser();
    const sub = await loggedIn(deps, browser);
    await loggedIn(deps, browser, { username: 'noah' });
    const id_token_hint = await hint(deps, { sub });
    assert.equal(sent(await ask(deps, browser, { id_token_hint, prompt: 'none' })), 'login_required');
    const page = await ask(deps, browser, { id_token_hint });
    assert.ok(contexts.at(-1)?.selectsAccount);
    assert.equal(sent(await logIn(deps, browser, page, { username: 'emma' })), 'code');
  });

  it('gives the client login_required when another user logs in', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const id_token_hint = await hint(deps, { sub: await loggedIn(deps, browser) });
    const page = await ask(deps, browser, { id_token_hint, prompt: 'login' });
    assert.equal(sent(await logIn(deps, browser, page, { username: 'noah' })), 'login_required');
  });

  it('knows a user by the pairwise subject of the client', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const sub = await loggedIn(deps, browser);
    const client = deps.store.putClient({ ...deps.webApp, skipConsent: true, subjectType: 'pairwise' });
    const session = await deps.sessions.current(browser.state, deps.dependencies.authenticators);
    assert.ok(session !== undefined);
    const pairwise = deps.subjects.subjectFor(client, session.owner);
    for (const [subject, expected] of [
      [pairwise, 'code'],
      [sub, 'login_required'],
    ] as const) {
      const id_token_hint = await hint(deps, { sub: subject });
      assert.equal(sent(await ask(deps, browser, { id_token_hint, prompt: 'none' })), expected);
    }
  });

  it('names them with one audience, as a text or a list', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const sub = await loggedIn(deps, browser);
    for (const [aud, expected] of [
      ['web-app', 'code'],
      [['web-app'], 'code'],
      [[], 'invalid_request'],
      [7, 'invalid_request'],
      [undefined, 'invalid_request'],
    ] as const) {
      const id_token_hint = await hint(deps, { sub, aud });
      const answer = await ask(deps, browser, { id_token_hint, prompt: 'none' });
      assert.equal(sent(answer), expected, JSON.stringify(aud));
    }
  });

  it('is an error unless it is an ID token that this server has issued to the client', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const sub = await loggedIn(deps, browser);
    const valid = await hint(deps, { sub });
    const [header = '', payload = '', signature = ''] = valid.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const [what, id_token_hint] of [
      ['another issuer', await hint(deps, { sub, iss: 'https://other.example' })],
      ['another client', await hint(deps, { sub, aud: 'other-app' })],
      ['another client too', await hint(deps, { sub, aud: ['web-app', 'other-app'] })],
      ['another presenter', await hint(deps, { sub, azp: 'other-app' })],
      ['no subject', await hint(deps, {})],
      ['no time of issue', await hint(deps, { sub, iat: undefined })],
      ['no expiry, such as an answer of the userinfo endpoint', await hint(deps, { sub, exp: undefined })],
      ['an access token', await hint(deps, { sub }, 'at+jwt')],
      ['a logout token', await hint(deps, { sub }, 'logout+jwt')],
      ['no signature', `${header}.${payload}.`],
      ['no algorithm', `${none}.${payload}.`],
      ['a changed signature', `${header}.${payload}.${signature.slice(2)}AA`],
      ['no JWT', 'x'],
    ] as const) {
      assert.equal(
        sent(await ask(deps, browser, { id_token_hint, prompt: 'none' })),
        'invalid_request',
        what,
      );
    }
  });

  it('is ignored without the scope openid', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    await loggedIn(deps, browser);
    assert.equal(sent(await ask(deps, browser, { scope: 'read', id_token_hint: 'x' })), 'code');
  });
});

describe('the claim sub with a value', () => {
  const claims = (sub: unknown, part = 'id_token') => JSON.stringify({ [part]: { sub } });

  it('names the only user for whom the client gets an answer', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const sub = await loggedIn(deps, browser);
    for (const part of ['id_token', 'userinfo']) {
      const own = { claims: claims({ value: sub }, part), prompt: 'none' };
      assert.equal(sent(await ask(deps, browser, own)), 'code');
      const other = { claims: claims({ value: 'somebody' }, part), prompt: 'none' };
      assert.equal(sent(await ask(deps, browser, other)), 'login_required');
    }
  });

  it('is an error when it is not one user, together with id_token_hint', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const sub = await loggedIn(deps, browser);
    const two = { claims: claims({ values: ['a', 'b'] }) };
    assert.equal(sent(await ask(deps, browser, two)), 'invalid_request');
    const other = { claims: claims({ value: 'a' }), id_token_hint: await hint(deps, { sub }) };
    assert.equal(sent(await ask(deps, browser, other)), 'invalid_request');
    const same = { claims: claims({ value: sub }), id_token_hint: await hint(deps, { sub }) };
    assert.equal(sent(await ask(deps, browser, same)), 'code');
  });
});

describe('the claim acr', () => {
  const gold = {
    claims: JSON.stringify({ id_token: { acr: { essential: true, values: ['gold', 'platinum'] } } }),
  };

  it('with values is required when it is essential: a login that has none of them is repeated', async () => {
    const { deps, contexts } = await provider();
    const browser = new TestBrowser();
    await loggedIn(deps, browser, { acr: 'bronze' });
    assert.equal(sent(await ask(deps, browser, { ...gold, prompt: 'none' })), 'login_required');
    const page = await ask(deps, browser, { ...gold, acr_values: 'silver gold' });
    assert.deepEqual(contexts.at(-1)?.acrValues, ['gold', 'platinum', 'silver']);
    assert.equal(sent(await logIn(deps, browser, page, { acr: 'platinum' })), 'code');
    assert.equal(sent(await ask(deps, browser, { ...gold, prompt: 'none' })), 'code');
  });

  it('raises the session that is there, and the module knows who is logged in', async () => {
    const { deps, contexts } = await provider();
    const browser = new TestBrowser();
    const current = () => deps.sessions.current(browser.state, deps.dependencies.authenticators);
    await loggedIn(deps, browser, { acr: 'bronze' });
    assert.equal(contexts.at(-1)?.loggedIn, undefined);
    const [before, cookies] = [await current(), browser.state];
    deps.clock.advance(10_000);
    const page = await ask(deps, browser, gold);
    const { identityProvider, principal, ...known } = contexts.at(-1)?.loggedIn ?? assert.fail();
    assert.deepEqual([identityProvider, principal.name, known.acr], ['test-login', 'emma', 'bronze']);
    assert.equal(known.authenticatedAt, before?.creationDate);
    assert.equal(sent(await logIn(deps, browser, page, { acr: 'gold' })), 'code');
    const raised = await current();
    assert.deepEqual([raised?.id, raised?.expires], [before?.id, before?.expires]);
    assert.deepEqual([raised?.authentication.acr, raised?.creationDate], ['gold', deps.clock.now()]);
    // A copy of the cookies from before is worth nothing any more.
    assert.equal(await deps.sessions.current(cookies, deps.dependencies.authenticators), undefined);
  });

  it('starts a session of its own when another user proves it', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const current = () => deps.sessions.current(browser.state, deps.dependencies.authenticators);
    await loggedIn(deps, browser, { acr: 'bronze' });
    const before = await current();
    const page = await ask(deps, browser, gold);
    assert.equal(sent(await logIn(deps, browser, page, { acr: 'gold', username: 'noah' })), 'code');
    assert.notEqual((await current())?.id, before?.id);
    assert.equal(await deps.store.loginSessions.find(before?.id ?? ''), undefined);
  });

  it('that the login does not reach is reported without what can be a secret in the wrong place', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    const values = ['gold', 'wws_c2VjcmV0'];
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values } } });
    await logIn(deps, browser, await ask(deps, browser, { claims }), { acr: 'bronze' });
    const { rule, expected, came } = deps.requestErrorLog.failures.at(-1) ?? assert.fail();
    assert.deepEqual([rule, expected, came], ['required_context', '"gold", "…"', '"bronze"']);
  });

  it('that the login does not reach is an error, also when the login has no class', async () => {
    for (const form of [{ acr: 'bronze' }, {}]) {
      const { deps } = await provider();
      const browser = new TestBrowser();
      const answer = await logIn(deps, browser, await ask(deps, browser, gold), form);
      assert.equal(sent(answer), 'unmet_authentication_requirements');
    }
  });

  it('is satisfied by a stronger login, and by a class of the operator', async () => {
    const { deps } = await provider({ classes: { 'urn:example:two': 'mfa' }, providers });
    const browser = new TestBrowser();
    await loggedIn(deps, browser, { acr: 'gold' });
    for (const [value, expected] of [
      ['https://refeds.org/profile/sfa', 'code'],
      ['https://refeds.org/profile/mfa', 'code'],
      ['urn:example:two', 'code'],
      ['gold', 'code'],
      ['phr', 'login_required'],
      ['urn:example:three', 'login_required'],
    ] as const) {
      const claims = JSON.stringify({ id_token: { acr: { essential: true, value } } });
      assert.equal(sent(await ask(deps, browser, { claims, prompt: 'none' })), expected, value);
    }
  });

  it('is not satisfied by what an identity provider says in words that the operator does not count', async () => {
    const { deps } = await provider({ providers });
    const browser = new TestBrowser();
    await loggedIn(deps, browser, { acr: 'phr' });
    const [session] = await deps.store.loginSessions.list({ limit: 1 });
    assert.equal(session?.authentication.level, undefined);
    const claims = JSON.stringify({
      id_token: { acr: { essential: true, value: 'https://refeds.org/profile/mfa' } },
    });
    assert.equal(sent(await ask(deps, browser, { claims, prompt: 'none' })), 'login_required');
  });

  it('answers with the first class that was asked for and reached, else with the strongest', async () => {
    const { deps } = await provider({ providers });
    const browser = new TestBrowser();
    await loggedIn(deps, browser, { acr: 'gold' });
    const sfa = 'https://refeds.org/profile/sfa';
    const mfa = 'https://refeds.org/profile/mfa';
    for (const [parameters, expected] of [
      [{}, 'gold'],
      [{ acr_values: `phr ${mfa} ${sfa}` }, mfa],
      [{ acr_values: `${sfa} ${mfa}` }, sfa],
      [{ acr_values: 'gold' }, 'gold'],
      [{ acr_values: 'phr' }, 'gold'],
      [{ claims: JSON.stringify({ id_token: { acr: null } }) }, 'gold'],
      [{ claims: JSON.stringify({ id_token: { acr: { values: ['phr', sfa] } } }), acr_values: mfa }, sfa],
      [{ scope: 'read', acr_values: mfa }, mfa],
    ] as const) {
      assert.equal(sent(await ask(deps, browser, { ...parameters, prompt: 'none' })), 'code');
      const [entry] = await deps.store.grantList.scan({ of: 'all', limit: 1 }, deps.clock.now());
      const grant = await deps.store.grants.find(entry?.id ?? '');
      assert.equal(grant?.authentication.acr, expected, JSON.stringify(parameters));
      deps.clock.advance(1);
    }
  });

  it('is voluntary without essential, without values and in acr_values', async () => {
    const { deps } = await provider();
    const browser = new TestBrowser();
    await loggedIn(deps, browser, { acr: 'bronze' });
    for (const acr of [null, { essential: true }, { values: ['gold'] }]) {
      const request = { claims: JSON.stringify({ id_token: { acr } }), acr_values: 'gold', prompt: 'none' };
      assert.equal(sent(await ask(deps, browser, request)), 'code');
    }
  });
});

describe('a client with a level for logins', () => {
  it('gets nothing of a login that is weaker, and the login is repeated before', async () => {
    const { deps, contexts } = await provider({ providers });
    const browser = new TestBrowser();
    await loggedIn(deps, browser, { acr: 'bronze' });
    deps.store.putClient({ ...deps.webApp, skipConsent: true, loginLevel: 'mfa' });
    for (const parameters of [{}, { scope: 'read' }, { acr_values: 'bronze' }, { prompt: 'consent' }]) {
      const page = await ask(deps, browser, parameters);
      assert.equal(contexts.at(-1)?.acrValues[0], 'https://refeds.org/profile/mfa');
      const answer = await logIn(deps, browser, page, { acr: 'bronze' });
      assert.equal(sent(answer), 'unmet_authentication_requirements', JSON.stringify(parameters));
    }
    assert.equal(sent(await ask(deps, browser, { prompt: 'none' })), 'login_required');
    const page = await ask(deps, browser, {});
    assert.equal(sent(await logIn(deps, browser, page, { acr: 'gold' })), 'code');
    assert.equal(sent(await ask(deps, browser, { prompt: 'none' })), 'code');
  });

  it('does not weaken what a request requires', async () => {
    const { deps } = await provider({ providers });
    deps.store.putClient({ ...deps.webApp, skipConsent: true, loginLevel: 'mfa' });
    const browser = new TestBrowser();
    const page = await ask(deps, browser, {
      claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'phr' } } }),
    });
    assert.equal(
      sent(await logIn(deps, browser, page, { acr: 'gold' })),
      'unmet_authentication_requirements',
    );
  });
});
