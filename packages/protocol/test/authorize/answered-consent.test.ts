import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  buildPublicClient,
  type FlowDependencies,
  flowDependencies,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { AuthStates } from '../../src/authorize/auth-state.ts';
import type { AuthorizationAnswer } from '../../src/authorize/authorization-answer.ts';
import type { ConsentModule } from '../../src/ports/modules/consent-module.ts';

const implicit = { client_id: 'public-client', response_type: 'token' };

async function dependencies(): Promise<FlowDependencies> {
  const deps = await flowDependencies();
  deps.store.putClient(buildPublicClient({ redirectUris: ['https://app.example/cb'] }));
  return deps;
}

/** The consent page for a user who logs in. */
async function asked(
  { authorization }: FlowDependencies,
  browser: TestBrowser,
  parameters: Record<string, string> = {},
  username = 'emma',
): Promise<string> {
  const login = browser.take(await authorization.authorize(authorizationRequest(parameters), browser.state));
  assert.ok(login.type === 'login', login.type);
  const form = submission({ auth_state: login.authState, username });
  const page = browser.take(await authorization.login(form, browser.state));
  assert.ok(page.type === 'consent', page.type);
  return page.authState;
}

async function decide(
  { authorization }: FlowDependencies,
  browser: TestBrowser,
  auth_state: string,
  decision = 'allow',
): Promise<AuthorizationAnswer> {
  return browser.take(await authorization.consent(submission({ auth_state, decision }), browser.state));
}

describe('a consent page', () => {
  for (const [what, parameters] of [
    ['a code', {}],
    ['a token', implicit],
  ] as const) {
    it(`has one answer with ${what}, also if two arrive together`, async () => {
      const deps = await dependencies();
      const browser = new TestBrowser();
      const page = await asked(deps, browser, parameters);
      const answers = await Promise.all([decide(deps, browser, page), decide(deps, browser, page)]);
      assert.deepEqual(answers.map(({ type }) => type).toSorted(), ['answered', 'redirect']);
      assert.equal((await decide(deps, browser, page)).type, 'answered');
      assert.equal((await decide(deps, browser, page, 'deny')).type, 'answered');
    });
  }

  it('has one answer that denies, also if two arrive together', async () => {
    const deps = await dependencies();
    const browser = new TestBrowser();
    const page = await asked(deps, browser);
    const deny = () => decide(deps, browser, page, 'deny');
    const answers = await Promise.all([deny(), deny()]);
    assert.deepEqual(answers.map(({ type }) => type).toSorted(), ['answered', 'redirect']);
    assert.equal((await decide(deps, browser, page)).type, 'answered');
  });

  it('that is shown again is the same question: its first form and its second have one answer together', async () => {
    const consent: ConsentModule = {
      name: 'test-consent',
      begin: async () => ({ type: 'form' }),
      resume: async ({ scopes }, form) =>
        form.has('decision') ? { type: 'consented', scopes, remember: false } : { type: 'form' },
    };
    const deps = await flowDependencies({ consent });
    const browser = new TestBrowser();
    const first = await asked(deps, browser);
    const unanswered = submission({ auth_state: first });
    const again = browser.take(await deps.authorization.consent(unanswered, browser.state));
    assert.ok(again.type === 'consent', again.type);
    assert.equal((await decide(deps, browser, again.authState)).type, 'redirect');
    assert.equal((await decide(deps, browser, first)).type, 'answered');
  });

  it('says that it was answered also when another user is logged in by then', async () => {
    const deps = await dependencies();
    const browser = new TestBrowser();
    const page = await asked(deps, browser);
    await decide(deps, browser, page);
    await asked(deps, browser, { prompt: 'login' }, 'noah');
    assert.equal((await decide(deps, browser, page)).type, 'answered');
  });

  it('says that it was answered also when nobody is logged in by then', async () => {
    const deps = await dependencies();
    const browser = new TestBrowser();
    const auth_state = await asked(deps, browser);
    await decide(deps, browser, auth_state);
    const form = submission({ auth_state, decision: 'allow' });
    const answer = await deps.authorization.consent(form, { ...browser.state, session: undefined });
    assert.equal(answer.type, 'answered');
  });

  it('that was answered does not lead to a login of another person', async () => {
    const deps = await dependencies();
    const browser = new TestBrowser();
    const page = await asked(deps, browser);
    await decide(deps, browser, page);
    const form = submission({ auth_state: page });
    assert.equal((await deps.authorization.switchOwner(form, browser.state)).type, 'answered');
    assert.notEqual(await deps.sessions.current(browser.state, deps.dependencies.authenticators), undefined);
  });

  it('is not shown again after its answer, unless another user is logged in now', async () => {
    const deps = await dependencies();
    await deps.grant({}, new TestBrowser());
    const browser = new TestBrowser();
    const page = await asked(deps, browser, {}, 'noah');
    await decide(deps, browser, page);
    const answered = await decide(deps, browser, page);
    assert.ok(answered.type === 'answered');
    const again = async () => {
      const form = submission({ auth_state: answered.authState });
      return browser.take(await deps.authorization.startAgain(form, browser.state));
    };
    assert.equal((await again()).type, 'redirect');
    const login = await deps.authorization.authorize(
      authorizationRequest({ prompt: 'login' }),
      browser.state,
    );
    assert.ok(browser.take(login).type === 'login');
    const form = submission({ auth_state: 'authState' in login ? login.authState : '', username: 'emma' });
    assert.equal(browser.take(await deps.authorization.login(form, browser.state)).type, 'redirect');
    const forEmma = await again();
    assert.ok(forEmma.type === 'consent', forEmma.type);
    assert.equal(forEmma.owner.principal.name, 'emma');
  });
});

describe('a consent', () => {
  const decided = (remember: boolean): ConsentModule => ({
    name: 'test-consent',
    begin: async () => ({ type: 'form' }),
    resume: async ({ scopes }) => ({ type: 'consented', scopes, remember }),
  });

  it('is remembered if the user wants that, and asked for again otherwise', async () => {
    for (const remember of [true, false]) {
      const deps = await flowDependencies({ consent: decided(remember) });
      const browser = new TestBrowser();
      await decide(deps, browser, await asked(deps, browser));
      const next = await deps.authorization.authorize(authorizationRequest(), browser.state);
      assert.equal(next.type, remember ? 'redirect' : 'consent');
    }
  });

  it('that a module gives without a page has an answer each time', async () => {
    const begin: ConsentModule['begin'] = async ({ scopes }) => ({
      type: 'consented',
      scopes,
      remember: false,
    });
    const deps = await flowDependencies({ consent: { ...decided(false), begin } });
    deps.store.putClient(buildPublicClient({ redirectUris: ['https://app.example/cb'] }));
    for (const _ of [1, 2]) {
      assert.notEqual((await deps.grant({}, new TestBrowser())).get('code'), null);
      assert.notEqual((await deps.grant(implicit, new TestBrowser())).get('access_token'), null);
    }
  });

  it('is asked of the user who is logged in now, also for a client whose users need not be asked', async () => {
    const deps = await dependencies();
    const browser = new TestBrowser();
    const page = await asked(deps, browser);
    deps.store.putClient({ ...deps.webApp, skipConsent: true });
    const login = browser.take(
      await deps.authorization.authorize(authorizationRequest({ prompt: 'login' }), browser.state),
    );
    assert.ok(login.type === 'login', login.type);
    const form = submission({ auth_state: login.authState, username: 'noah' });
    assert.equal(browser.take(await deps.authorization.login(form, browser.state)).type, 'redirect');
    const question = await decide(deps, browser, page);
    assert.ok(question.type === 'consent', question.type);
    assert.equal(question.owner.principal.name, 'noah');
  });
});

describe('a user who is not the one that a page names', () => {
  it('is asked for consent, also after a consent before', async () => {
    const deps = await dependencies();
    const noahs = new TestBrowser();
    await decide(deps, noahs, await asked(deps, noahs, {}, 'noah'));
    const browser = new TestBrowser();
    const page = await asked(deps, browser);
    const login = await deps.authorization.authorize(
      authorizationRequest({ prompt: 'login' }),
      browser.state,
    );
    assert.ok(browser.take(login).type === 'login' && 'authState' in login);
    const form = submission({ auth_state: login.authState, username: 'noah' });
    assert.equal(browser.take(await deps.authorization.login(form, browser.state)).type, 'redirect');
    const answer = await deps.authorization.switchOwner(submission({ auth_state: page }), browser.state);
    assert.ok(answer.type === 'consent', answer.type);
    assert.equal(answer.owner.principal.name, 'noah');
  });

  it('logs in to start again when nobody is logged in any more', async () => {
    const deps = await dependencies();
    const browser = new TestBrowser();
    const page = await asked(deps, browser);
    await decide(deps, browser, page);
    const answered = await decide(deps, browser, page);
    assert.ok(answered.type === 'answered', answered.type);
    await deps.sessions.end(browser.state, { clientId: undefined, source: '' });
    const form = submission({ auth_state: answered.authState });
    assert.equal((await deps.authorization.startAgain(form, browser.state)).type, 'login');
  });
});

describe('the state of a page', () => {
  it('is last opened at its end, at a clock that is five minutes behind', async () => {
    const { clock, dependencies } = await flowDependencies();
    const { lastUse } = new AuthStates(dependencies);
    assert.equal(lastUse, clock.now() + (dependencies.authStateLifetime + 300) * 1000);
  });
});
