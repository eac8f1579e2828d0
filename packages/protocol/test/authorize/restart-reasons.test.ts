import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthenticationModule, LoginStep } from '@watchword/protocol';
import {
  authorizationRequest,
  buildResourceServer,
  emma,
  type FlowDependencies,
  flowDependencies,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type { AuthorizationAnswer } from '../../src/authorize/authorization-answer.ts';

function sealed(answer: AuthorizationAnswer): string {
  assert.ok('authState' in answer, answer.type);
  return answer.authState;
}

/** A browser at the consent page, as emma. */
async function asked() {
  const deps = await flowDependencies();
  const browser = new TestBrowser();
  const page = await logIn(deps, browser, 'emma');
  return { deps, browser, page };
}

async function logIn(deps: FlowDependencies, browser: TestBrowser, username: string, more = {}) {
  const login = browser.take(await deps.authorization.authorize(authorizationRequest(more), browser.state));
  return send(deps, browser, login, username);
}

async function send(
  deps: FlowDependencies,
  browser: TestBrowser,
  login: AuthorizationAnswer,
  username: string,
) {
  assert.equal(login.type, 'login');
  const form = submission({ auth_state: sealed(login), username });
  return browser.take(await deps.authorization.login(form, browser.state));
}

const asAdministrator: AuthenticationModule = {
  name: 'test-login',
  begin: async () => ({ type: 'form' }),
  resume: async () => ({ type: 'authenticated', principal: emma({ adminPrincipal: true }) }),
};

/** A module of another server, where the login waits. */
const elsewhere: AuthenticationModule = {
  ...asAdministrator,
  begin: async () => ({
    type: 'redirect',
    brief: true,
    location: (authState) => `https://idp.example/?RelayState=${authState}`,
  }),
};

/** A browser at the step after the first factor. */
async function atStep() {
  const form = { type: 'form', title: 'Code', choices: [{ value: 'go', text: 'Go' }] } as const;
  const loginSteps: LoginStep[] = [
    {
      name: 'code',
      isNeeded: () => true,
      begin: async () => form,
      resume: async () => ({ type: 'passed', factor: { amr: ['code'] } }),
    },
  ];
  const deps = await flowDependencies({ loginSteps });
  const browser = new TestBrowser();
  const page = await logIn(deps, browser, 'emma');
  assert.equal(page.type, 'loginStep');
  return { deps, browser, page };
}

const allowed = (page: AuthorizationAnswer) =>
  submission({ auth_state: sealed(page), decision: 'allow', granted_scopes: 'read' });
const told = ({ type, again }: AuthorizationAnswer) => [type, again];

describe('a resource owner whose request begins again', () => {
  it('is told that they logged out in another tab', async () => {
    const { deps, browser, page } = await asked();
    await deps.sessions.end(browser.state, { clientId: undefined, source: '' });
    browser.take({ type: 'redirect', location: '', cookies: { session: null } });
    const login = browser.take(await deps.authorization.consent(allowed(page), browser.state));
    assert.deepEqual(told(login), ['login', 'signedOut']);
    // The reason is of one page: the next one is the expected one.
    assert.deepEqual(told(await send(deps, browser, login, 'emma')), ['consent', undefined]);
  });

  it('is told that the session has ended elsewhere, on the page of a request too', async () => {
    const { deps, browser, page } = await asked();
    await deps.sessions.end(browser.state, { clientId: undefined, source: '' });
    assert.deepEqual(told(await deps.authorization.consent(allowed(page), browser.state)), [
      'login',
      'ended',
    ]);
    const fresh = await deps.authorization.authorize(authorizationRequest({}), browser.state);
    assert.deepEqual(told(fresh), ['login', 'ended']);
    assert.deepEqual(told(await deps.authorization.loginForAccount(browser.state, '/account')), [
      'login',
      'ended',
    ]);
  });

  it('is told that another user, or the same one, has logged in meanwhile', async () => {
    for (const [username, reason] of [
      ['mallory', 'otherUser'],
      ['emma', 'anew'],
    ] as const) {
      const { deps, browser, page } = await asked();
      await deps.sessions.end(browser.state, { clientId: undefined, source: '' });
      await logIn(deps, browser, username);
      const again = await deps.authorization.consent(allowed(page), browser.state);
      assert.deepEqual(told(again), ['consent', reason]);
      const switched = await deps.authorization.switchOwner(allowed(page), browser.state);
      assert.deepEqual(told(switched), ['consent', reason]);
    }
  });

  it('is told of another user also where the page is late', async () => {
    const { deps, browser, page } = await asked();
    await logIn(deps, browser, 'mallory', { prompt: 'login' });
    deps.clock.advance(3_600_000);
    await logIn(deps, browser, 'mallory', { prompt: 'login' });
    const again = await deps.authorization.consent(allowed(page), browser.state);
    assert.deepEqual([again.type, again.again, again.late !== undefined], ['consent', 'otherUser', true]);
  });

  it('is told that what was remembered has changed', async () => {
    const { deps, browser, page } = await asked();
    const other = browser.take(await deps.authorization.authorize(authorizationRequest({}), browser.state));
    await deps.authorization.consent(allowed(other), browser.state);
    assert.deepEqual(told(await deps.authorization.consent(allowed(page), browser.state)), [
      'consent',
      'changed',
    ]);
  });

  it('is told to log in with another account after "Not you?" and after the choice of another account', async () => {
    const { deps, browser, page } = await asked();
    const choice = await deps.authorization.authorize(
      authorizationRequest({ prompt: 'select_account' }),
      browser.state,
    );
    const other = submission({ auth_state: sealed(choice), account: 'other' });
    assert.deepEqual(told(await deps.authorization.selectAccount(other, browser.state)), [
      'login',
      'otherAccount',
    ]);
    assert.deepEqual(told(await deps.authorization.switchOwner(allowed(page), browser.state)), [
      'login',
      'otherAccount',
    ]);
  });

  it('is told that the client asks for a new login, and nothing where nobody was logged in', async () => {
    const { deps, browser } = await asked();
    const again = await deps.authorization.authorize(
      authorizationRequest({ prompt: 'login' }),
      browser.state,
    );
    assert.deepEqual(told(again), ['login', 'asked']);
    const first = await deps.authorization.authorize(authorizationRequest({}), new TestBrowser().state);
    assert.deepEqual(told(first), ['login', undefined]);
  });

  it('is told that the login of an administrator is too old for the administration', async () => {
    const deps = await flowDependencies({ authenticator: asAdministrator });
    deps.store.putResourceServer(buildResourceServer({ owner: 'watchword', ownerAuthority: 'system' }));
    const browser = new TestBrowser();
    await logIn(deps, browser, 'emma');
    const fresh = (prompt: string) =>
      deps.authorization.authorize(authorizationRequest({ prompt }), browser.state);
    for (let quarter = 0; quarter < 4; quarter += 1) {
      assert.equal((await fresh('')).again, undefined);
      deps.clock.advance(900_000);
    }
    assert.deepEqual(told(await fresh('')), ['login', 'administration']);
    assert.deepEqual(told(await fresh('login')), ['login', 'asked']);
  });

  it('is told that the way to log in is gone: the authenticator, or a step after it', async () => {
    const authenticators = new Map(['one', 'two'].map((name) => [name, { ...asAdministrator, name }]));
    const deps = await flowDependencies({ authenticators });
    const browser = new TestBrowser();
    const request = authorizationRequest({ authenticator_hint: 'two' });
    const login = browser.take(await deps.authorization.authorize(request, browser.state));
    authenticators.delete('two');
    assert.deepEqual(told(await send(deps, browser, login, 'emma')), ['login', 'method']);

    const { deps: before, browser: same, page } = await atStep();
    const without = await flowDependencies({ ...before.dependencies, loginSteps: [] });
    const answer = submission({ auth_state: sealed(page), choice: 'go' });
    assert.deepEqual(told(await without.authorization.loginStep(answer, same.state)), ['login', 'method']);
  });

  it('is told that the login ended before its last step, by an answer or in another language', async () => {
    const { deps, browser, page } = await atStep();
    const [held] = await deps.store.loginSessions.list({ limit: 1 });
    await deps.store.loginSessions.delete(held?.id ?? '', { now: deps.clock.now() });
    const form = submission({ auth_state: sealed(page), choice: 'go' });
    assert.deepEqual(told(await deps.authorization.loginStep(form, browser.state)), ['login', 'interrupted']);
    const shown = await deps.authorization.showAgain('step', form, browser.state);
    assert.deepEqual(told(shown), ['login', 'interrupted']);
  });

  it('is told that the request goes on, after the address of a step was opened while the login waits', async () => {
    const deps = await flowDependencies({ authenticator: elsewhere });
    const browser = new TestBrowser();
    assert.equal(await deps.authorization.resume(browser.state), undefined);
    browser.take(await deps.authorization.authorize(authorizationRequest({}), browser.state));
    const choose = { ...elsewhere, begin: asAdministrator.begin };
    const later = await flowDependencies({
      ...deps.dependencies,
      authenticators: new Map([[choose.name, choose]]),
    });
    assert.deepEqual(told((await later.authorization.resume(browser.state)) ?? assert.fail()), [
      'login',
      'reopened',
    ]);
  });
});
