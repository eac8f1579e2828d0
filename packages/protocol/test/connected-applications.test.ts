import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  type FlowDependencies,
  flowDependencies,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { accountEndpoint } from '../src/index.ts';

/** Signs in for the account page in a browser. */
async function signIn(deps: FlowDependencies, browser = new TestBrowser()): Promise<TestBrowser> {
  const login = browser.take(await deps.authorization.loginForAccount(browser.state));
  assert.ok(login.type === 'login', login.type);
  browser.take(
    await deps.authorization.login(
      submission({ auth_state: login.authState, username: 'emma' }),
      browser.state,
    ),
  );
  return browser;
}

function accountOf(deps: FlowDependencies) {
  return accountEndpoint({ ...deps.dependencies, sessions: deps.sessions });
}

async function applications(deps: FlowDependencies, browser: TestBrowser) {
  const view = await accountOf(deps).show(browser.state);
  return view?.applications.map(({ client, scopes, consentedScopes, lastUsed }) => ({
    clientId: client.clientId,
    scopes,
    consentedScopes,
    hasAccess: lastUsed !== undefined,
  }));
}

const year = 366 * 24 * 3_600_000;

describe('the applications of a resource owner', () => {
  it('are those with a grant, and those that get one again without a question', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const shown = { clientId: 'web-app', consentedScopes: ['read', 'write'] };
    const before = await signIn(deps);
    assert.deepEqual(await applications(deps, before), [
      { ...shown, scopes: ['read', 'write'], hasAccess: true },
    ]);
    deps.clock.advance(year);
    const later = await signIn(deps);
    assert.deepEqual(await applications(deps, later), [{ ...shown, scopes: [], hasAccess: false }]);
  });

  it('lose a remembered consent at a withdrawal, also where no grant is left', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    deps.clock.advance(year);
    const browser = await signIn(deps);
    const view = await accountOf(deps).show(browser.state);
    const client = String(view?.applications[0]?.client.id);
    const form = submission({ auth_state: view?.authState ?? '', client });
    await accountOf(deps).withdraw(form, browser.state);
    assert.deepEqual(await applications(deps, browser), []);
    const asked = await deps.authorization.authorize(authorizationRequest(), browser.state);
    assert.equal(asked.type, 'consent');
  });

  it('are not those whose consent covers no scope', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const { consents } = deps.store;
    const subject = (await accountOf(deps).show((await signIn(deps)).state))?.owner.subject ?? '';
    const key = {
      owner: { identityProvider: 'test-login', name: 'emma' },
      subject,
      clientRecordId: deps.webApp.id,
      redirectUri: 'https://app.example/cb',
    };
    assert.deepEqual(await consents.find(key), ['read', 'write']);
    const [grant] = await deps.store.grants.listBySubject(subject, deps.clock.now());
    await consents.save({ key, scopes: [], savedAt: deps.clock.now() }, grant?.grant.id ?? '');
    deps.clock.advance(year);
    assert.deepEqual(await applications(deps, await signIn(deps)), []);
  });

  it('have only scopes that the client still has, and none of a client that was deleted', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const browser = await signIn(deps);
    deps.store.putClient({ ...deps.webApp, scopes: ['read'] });
    const [found] = (await applications(deps, browser)) ?? [];
    assert.deepEqual([found?.scopes, found?.consentedScopes], [['read'], ['read']]);
    await deps.store.clients.delete(deps.webApp.id);
    assert.deepEqual(await applications(deps, browser), []);
  });
});
