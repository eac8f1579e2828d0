import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthorizationAnswer } from '@watchword/protocol';
import {
  answeredParameters,
  authorizationRequest,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';

async function loggedIn() {
  const deps = await flowDependencies();
  const browser = new TestBrowser();
  await deps.grant({}, browser);
  return { deps, browser };
}

async function ask({ authorization }: FlowDependencies, browser: TestBrowser, parameters = {}) {
  const request = authorizationRequest({ prompt: 'select_account', state: 's', ...parameters });
  const answer = browser.take(await authorization.authorize(request, browser.state));
  assert.ok(answer.type === 'selectAccount', answer.type);
  return answer;
}

async function choose(
  { authorization }: FlowDependencies,
  browser: TestBrowser,
  { authState }: { readonly authState: string },
  account: string,
): Promise<AuthorizationAnswer> {
  const form = submission({ auth_state: authState, ...(account && { account }) });
  return browser.take(await authorization.selectAccount(form, browser.state));
}

async function logIn(
  deps: FlowDependencies,
  browser: TestBrowser,
  page: AuthorizationAnswer,
  username: string,
) {
  assert.ok(page.type === 'login', page.type);
  const form = submission({ auth_state: page.authState, username });
  return browser.take(await deps.authorization.login(form, browser.state));
}

describe('prompt=select_account', () => {
  it('asks a logged-in user with which account to continue, and continues with it', async () => {
    const { deps, browser } = await loggedIn();
    const page = await ask(deps, browser);
    assert.equal(page.owner.principal.name, 'emma');
    const answer = await choose(deps, browser, page, 'current');
    assert.ok(answer.type === 'redirect', answer.type);
    assert.ok(answeredParameters(answer.location).has('code'));
  });

  it('leads to a login with another account, and keeps the session until that login', async () => {
    const { deps, browser } = await loggedIn();
    const { session } = browser.state;
    const login = await choose(deps, browser, await ask(deps, browser), 'other');
    assert.equal(browser.state.session, session);
    const consent = await logIn(deps, browser, login, 'noah');
    assert.ok(consent.type === 'consent', consent.type);
    assert.equal(consent.owner.principal.name, 'noah');
    assert.notEqual(browser.state.session, session);
  });

  it('is a login where nobody is logged in, after which nobody is asked for an account', async () => {
    const deps = await flowDependencies();
    const browser = new TestBrowser();
    const request = authorizationRequest({ prompt: 'select_account' });
    const page = browser.take(await deps.authorization.authorize(request, browser.state));
    assert.equal(page.type, 'login');
    assert.equal((await logIn(deps, browser, page, 'emma')).type, 'consent');
  });

  it('asks for consent too when the client requests both', async () => {
    const { deps, browser } = await loggedIn();
    const page = await ask(deps, browser, { prompt: 'select_account consent' });
    assert.equal((await choose(deps, browser, page, 'current')).type, 'consent');
  });

  it('cannot be combined with prompt=none', async () => {
    const { deps, browser } = await loggedIn();
    const request = authorizationRequest({ prompt: 'none select_account' });
    const answer = await deps.authorization.authorize(request, browser.state);
    assert.ok(answer.type === 'redirect', answer.type);
    assert.equal(answeredParameters(answer.location).get('error'), 'invalid_request');
  });

  it('asks again when another user has logged in since the page was shown', async () => {
    const { deps, browser } = await loggedIn();
    const page = await ask(deps, browser);
    const login = authorizationRequest({ prompt: 'login' });
    await logIn(deps, browser, await deps.authorization.authorize(login, browser.state), 'noah');
    const again = await choose(deps, browser, page, 'current');
    assert.ok(again.type === 'selectAccount', again.type);
    assert.equal(again.owner.principal.name, 'noah');
  });

  it('accepts the choice only from the browser that shows the page, and only with an account', async () => {
    const { deps, browser } = await loggedIn();
    const page = await ask(deps, browser);
    const thief = new TestBrowser();
    await deps.grant({}, thief);
    await assert.rejects(choose(deps, thief, page, 'current'), protocolError('invalid_auth_state'));
    await assert.rejects(
      choose(deps, new TestBrowser(), page, 'current'),
      protocolError('unbound_submission'),
    );
    await assert.rejects(choose(deps, browser, page, ''), protocolError('invalid_request'));
  });
});
