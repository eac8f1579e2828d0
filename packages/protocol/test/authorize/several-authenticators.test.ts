import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type {
  AuthenticationModule,
  AuthenticationStep,
} from '../../src/ports/modules/authentication-module.ts';

/** A module that shows a form, on which a `username` logs in. */
function byForm(name: string, kept?: unknown): AuthenticationModule {
  const form = { type: 'form', state: kept } as const;
  return {
    name,
    begin: async () => form,
    resume: async (_context, fields) =>
      fields.has('username') ? { type: 'authenticated', principal: emma() } : form,
  };
}

/** A module of another server. */
function elsewhere(state: unknown, resume: () => AuthenticationStep): AuthenticationModule {
  return {
    name: 'elsewhere',
    begin: async () => ({
      type: 'redirect',
      brief: true,
      location: (authState) => `https://idp.example/?RelayState=${authState}`,
      state,
    }),
    resume: async () => resume(),
  };
}

async function server(...modules: readonly AuthenticationModule[]): Promise<FlowDependencies> {
  const deps = await flowDependencies({
    authenticators: new Map(modules.map((module) => [module.name, module])),
  });
  deps.store.putClient({ ...deps.webApp, skipConsent: true });
  return deps;
}

async function authorize({ authorization }: FlowDependencies, browser: TestBrowser) {
  return browser.take(await authorization.authorize(authorizationRequest(), browser.state));
}

describe('a login with one of several authenticators', () => {
  it('is with the one that the user chooses, which is the first in this browser from then on', async () => {
    const deps = await server(byForm('one'), byForm('two'));
    const { authorization } = deps;
    const browser = new TestBrowser();
    const page = await authorize(deps, browser);
    assert.ok(page.type === 'authenticators', page.type);
    assert.deepEqual([page.names, page.last], [['one', 'two'], undefined]);
    const choice = submission({ auth_state: page.authState, authenticator: 'two' });
    const login = browser.take(await authorization.choose(choice, browser.state));
    assert.ok(login.type === 'login', login.type);
    assert.equal(login.authenticator, 'two');
    const form = submission({ auth_state: login.authState, username: 'emma' });
    assert.equal(browser.take(await authorization.login(form, browser.state)).type, 'redirect');
    const withoutSession = { ...browser.state, session: undefined };
    const next = await authorization.loginForAccount(withoutSession, '/account/password');
    assert.ok(next.type === 'authenticators', next.type);
    assert.deepEqual([next.names, next.last], [['two', 'one'], 'two']);
    const again = submission({ auth_state: next.authState, authenticator: 'one' });
    const other = browser.take(await authorization.choose(again, withoutSession));
    assert.ok(other.type === 'login', other.type);
    const typed = submission({ auth_state: other.authState, username: 'emma' });
    const end = await authorization.login(typed, withoutSession);
    assert.equal('location' in end && end.location, 'https://as.example/account/password');
  });

  it('is with the one that the request names, and the page of the choice names the client otherwise', async () => {
    const deps = await server(byForm('one'), byForm('two'));
    const page = (authenticator_hint: string) =>
      deps.authorization.authorize(authorizationRequest({ authenticator_hint }), new TestBrowser().state);
    const named = await page('two');
    assert.equal('authenticator' in named && named.authenticator, 'two');
    for (const hint of ['', 'three']) {
      const choice = await page(hint);
      assert.ok(choice.type === 'authenticators', choice.type);
      assert.equal(choice.request?.client.clientId, 'web-app');
    }
  });

  it('begins again when the configuration has lost the one whose form comes back', async () => {
    const modules = new Map(['one', 'two'].map((name) => [name, byForm(name)]));
    const deps = await flowDependencies({ authenticators: modules });
    const browser = new TestBrowser();
    const request = authorizationRequest({ authenticator_hint: 'two' });
    const login = browser.take(await deps.authorization.authorize(request, browser.state));
    assert.ok(login.type === 'login', login.type);
    modules.delete('two');
    const form = submission({ auth_state: login.authState, username: 'emma' });
    const again = await deps.authorization.login(form, browser.state);
    assert.equal('authenticator' in again && again.authenticator, 'one');
  });

  it('knows whether the user can have to be another one, or has to prove it again', async () => {
    const begun: unknown[] = [];
    const module: AuthenticationModule = {
      ...byForm('one'),
      async begin({ selectsAccount, isFresh, uiLocales }) {
        begun.push([selectsAccount, isFresh, uiLocales]);
        return { type: 'form' };
      },
    };
    const { authorization } = await server(module);
    for (const [parameters, expected] of [
      [{}, [false, false, []]],
      [{ prompt: 'select_account', ui_locales: 'nl' }, [true, false, ['nl']]],
      [{ prompt: 'login' }, [false, true, []]],
      [{ max_age: '60' }, [false, true, []]],
    ] as const) {
      await authorization.authorize(authorizationRequest(parameters), new TestBrowser().state);
      assert.deepEqual(begun.pop(), expected, JSON.stringify(parameters));
    }
    await authorization.loginForAccount(new TestBrowser().state, '/account');
    assert.deepEqual(begun.pop(), [false, false, []]);
  });

  it('waits in a cookie during the choice if its request is too long for an address', async () => {
    const deps = await server(byForm('one'), byForm('two'));
    const page = async (parameters: Record<string, string>) =>
      deps.authorization.authorize(authorizationRequest(parameters), new TestBrowser().state);
    const short = await page({});
    assert.ok(short.type === 'authenticators', short.type);
    assert.ok(!('waiting' in short.cookies));
    const long = await page({ state: 'x'.repeat(4096) });
    assert.ok(long.type === 'authenticators', long.type);
    assert.equal(long.cookies.waiting?.handle, long.authState);
  });

  it('is not remembered in the browser where there is only one', async () => {
    const deps = await server(byForm('one'));
    const browser = new TestBrowser();
    const login = await authorize(deps, browser);
    assert.ok(login.type === 'login', login.type);
    const form = submission({ auth_state: login.authState, username: 'emma' });
    const { cookies } = await deps.authorization.login(form, browser.state);
    assert.ok(!('lastAuthenticator' in cookies));
  });

  it('continues at an address of its own module only', async () => {
    const deps = await server(byForm('one'));
    const browser = new TestBrowser();
    const login = await authorize(deps, browser);
    assert.ok(login.type === 'login', login.type);
    const form = submission({ auth_state: login.authState, username: 'emma' });
    const foreign = deps.authorization.login(form, browser.state, 'two');
    await assert.rejects(foreign, protocolError('invalid_auth_state'));
    await assert.rejects(
      deps.authorization.pendingLogin(form, browser.state, 'two'),
      protocolError('invalid_auth_state'),
    );
    const pending = await deps.authorization.pendingLogin(form, browser.state, 'one');
    assert.equal(pending.request?.client.clientId, 'web-app');
    assert.equal((await deps.authorization.login(form, browser.state, 'one')).type, 'redirect');
  });
});

describe('a login at another server', () => {
  /** The browser comes back from there. */
  const comeBack = async (deps: FlowDependencies, browser: TestBrowser, handle: string) =>
    browser.take(await deps.authorization.login(submission({ auth_state: handle }), browser.state));

  it('waits in a cookie until it has succeeded', async () => {
    let step: AuthenticationStep = { type: 'form' };
    const deps = await server(elsewhere({ id: 1 }, () => step));
    const browser = new TestBrowser();
    const away = await authorize(deps, browser);
    assert.ok(away.type === 'forward', away.type);
    const handle = new URL(away.location).searchParams.get('RelayState') ?? '';
    assert.deepEqual([...(browser.state.waiting ?? new Map()).keys()], [handle]);
    assert.equal((await comeBack(deps, browser, handle)).type, 'login');
    assert.deepEqual([...(browser.state.waiting ?? new Map()).keys()], [handle]);
    step = { type: 'authenticated', principal: emma() };
    assert.equal((await comeBack(deps, browser, handle)).type, 'redirect');
    assert.deepEqual([...(browser.state.waiting ?? new Map()).keys()], []);
  });

  it('ends with an error when there is more to wait than cookies hold, which a trusted client gets at once', async () => {
    const deps = await server(elsewhere('x'.repeat(100_000), () => ({ type: 'form' })));
    const ownError = await deps.authorization
      .loginForAccount(new TestBrowser().state, '/account')
      .catch((error) => error);
    assert.equal(ownError.rule, 'request_size');
    deps.store.putClient({ ...deps.webApp, trusted: false });
    assert.equal((await authorize(deps, new TestBrowser())).type, 'error');
    deps.store.putClient(deps.webApp);
    const answer = await authorize(deps, new TestBrowser());
    assert.ok(answer.type === 'redirect', answer.type);
    assert.equal(answeredParameters(answer.location).get('error'), 'invalid_request');
    assert.equal(answer.error?.rule, 'request_size');
    assert.deepEqual(answer.cookies, {});
  });

  it('waits in three cookies that are full, and not in one character more', async () => {
    const typeOf = async (length: number) => {
      const deps = await server(elsewhere('x'.repeat(length), () => ({ type: 'form' })));
      const answer = await authorize(deps, new TestBrowser());
      return { type: answer.type, length: answer.cookies.waiting?.authState?.length ?? 0 };
    };
    // Base64url has four characters for three bytes.
    const nearly = 8000 + Math.floor(((11_700 - (await typeOf(8000)).length) * 3) / 4);
    const seen = [];
    for (const more of [-1, 0, 1, 2]) seen.push(await typeOf(nearly + more));
    assert.equal(Math.max(...seen.map(({ length }) => length)), 11_700);
    assert.deepEqual(seen.at(-1), { type: 'redirect', length: 0 });
  });
});
