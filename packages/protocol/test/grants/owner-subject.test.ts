import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountEndpoint } from '@watchword/accounts';
import {
  authorizationRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  introspectRequest,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { introspectionEndpoint } from '../../src/index.ts';
import type { Authenticated, AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';

type Login = Omit<Authenticated, 'type'>;

/** A flow whose module lets in the person that `next` holds. */
async function flow(next: { login: Login }): Promise<FlowDependencies> {
  const authenticator: AuthenticationModule = {
    name: 'test-login',
    begin: async () => ({ type: 'form' }),
    resume: async () => ({ type: 'authenticated', ...next.login }),
  };
  return flowDependencies({ authenticator });
}

async function tokens(deps: FlowDependencies, browser = new TestBrowser()) {
  const code = (await deps.grant({}, browser)).get('code') ?? '';
  return deps.token({ grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/cb' });
}

async function introspected(deps: FlowDependencies, token: string) {
  const found = await introspectionEndpoint(deps)(introspectRequest(token, 'web-app:client-secret'));
  assert.ok(found.active);
  return found;
}

/** `sub` and `username` of a person who logs in in a browser of their own. */
async function identified(login: Login) {
  const deps = await flow({ login });
  const { sub, username } = await introspected(deps, (await tokens(deps)).access_token);
  return { sub, username };
}

describe('sub of a token', () => {
  it('is the subject of the resource owner, beside the name, for the first token and each refreshed one', async () => {
    const deps = await flow({ login: { principal: emma(), stableId: 'e-1' } });
    const first = await tokens(deps);
    const { sub, username } = await introspected(deps, first.access_token);
    assert.match(sub ?? '', /^[A-Za-z0-9_-]{43}$/);
    assert.equal(username, 'emma');
    const refreshed = await deps.token({
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token ?? '',
    });
    assert.equal((await introspected(deps, refreshed.access_token)).sub, sub);
  });

  it('stays the same over changes of name, attributes and roles where the module knows a stable id', async () => {
    const before = await identified({ principal: emma(), stableId: 'e-1' });
    const renamed = emma({ name: 'emma.married', roles: [], attributes: { DISPLAY_NAME: 'E. M.' } });
    const after = await identified({ principal: renamed, stableId: 'e-1' });
    assert.deepEqual(after, { sub: before.sub, username: 'emma.married' });
  });

  it('goes by the name where the module knows no stable id', async () => {
    const before = await identified({ principal: emma() });
    assert.deepEqual(await identified({ principal: emma({ attributes: {} }) }), before);
    assert.notEqual((await identified({ principal: emma({ name: 'Emma' }) })).sub, before.sub);
  });

  it('is another for two persons of one name: at two identity providers, or with two stable ids', async () => {
    const principal = emma();
    const logins: Login[] = [
      { principal },
      { principal, identityProvider: 'https://idp.example' },
      { principal, identityProvider: 'https://other.example' },
      { principal, stableId: 'e-1' },
      { principal, stableId: 'e-2' },
    ];
    const found = await Promise.all(logins.map(identified));
    assert.equal(new Set(found.map(({ sub }) => sub)).size, logins.length);
    assert.deepEqual(new Set(found.map(({ username }) => username)), new Set(['emma']));
  });
});

describe('a person whose name was that of another person', () => {
  const older = { principal: emma(), stableId: 'e-1' };
  const newer = { principal: emma(), stableId: 'e-2' };

  it('is asked for consent, also when the other user has consented', async () => {
    const next: { login: Login } = { login: older };
    const deps = await flow(next);
    await deps.grant();
    const shown = async () => {
      const browser = new TestBrowser();
      const page = browser.take(await deps.authorization.authorize(authorizationRequest(), browser.state));
      assert.ok(page.type === 'login', page.type);
      const form = submission({ auth_state: page.authState });
      return (await deps.authorization.login(form, browser.state)).type;
    };
    assert.equal(await shown(), 'redirect');
    next.login = newer;
    assert.equal(await shown(), 'consent');
  });

  it('sees no application of the other person', async () => {
    const next: { login: Login } = { login: older };
    const deps = await flow(next);
    const browser = new TestBrowser();
    await deps.grant({}, browser);
    const account = accountEndpoint({ ...deps.dependencies, ...deps, sessions: deps.sessions });
    assert.equal((await account.show(browser.state))?.applications.length, 1);
    next.login = newer;
    const another = new TestBrowser();
    const login = another.take(await deps.authorization.loginForAccount(another.state, '/account'));
    assert.ok(login.type === 'login', login.type);
    another.take(await deps.authorization.login(submission({ auth_state: login.authState }), another.state));
    assert.deepEqual((await account.show(another.state))?.applications, []);
  });
});
