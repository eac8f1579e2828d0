import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
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
      await logIn(deps, browser, username, { prompt: 'login' });
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
});
