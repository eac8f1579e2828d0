import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Authenticated, AuthenticationModule, LoginSession, LoginStep } from '@watchword/protocol';
import {
  authorizationRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  sent,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { withFactors } from '../../src/authorize/sessions/factor.ts';

type Answer = Awaited<ReturnType<FlowDependencies['authorization']['authorize']>>;

const mfa = 'https://refeds.org/profile/mfa';
const form = { type: 'form', title: 'Code', choices: [{ value: 'go', text: 'Go' }] } as const;

/** Asks each login for a code, which is its own name. */
function codeStep(name: string, isNeeded: LoginStep['isNeeded'] = () => true): LoginStep {
  return {
    name,
    isNeeded,
    begin: async () => ({ ...form, state: name }),
    async resume(_, __, { state, submission: answer }) {
      const [code] = answer.get('code') ?? [];
      if (code === 'no') return { type: 'refused', reason: 'The user declined.' };
      if (code !== state) return { ...form, status: 403, state };
      return { type: 'passed', factor: { amr: [name], level: name === 'pop' ? 'phr' : 'mfa' } };
    },
  };
}

const byName = (more: Partial<Authenticated> = {}): AuthenticationModule => ({
  name: 'test-login',
  begin: async () => ({ type: 'form' }),
  resume: async (_, fields) => {
    const [name = 'emma'] = fields.get('username') ?? [];
    return { type: 'authenticated', principal: emma({ name }), amr: ['pwd'], ...more };
  },
});

async function server(
  loginSteps: readonly LoginStep[] = [codeStep('otp')],
  more: Partial<Authenticated> = {},
) {
  const deps = await flowDependencies({ loginSteps, authenticator: byName(more) });
  deps.store.putClient({ ...deps.webApp, skipConsent: true });
  return deps;
}

const ask = async (deps: FlowDependencies, browser: TestBrowser, parameters: Record<string, string> = {}) =>
  browser.take(await deps.authorization.authorize(authorizationRequest(parameters), browser.state));

/** Submits the page of a login or of a step. */
async function send(
  deps: FlowDependencies,
  browser: TestBrowser,
  page: Answer,
  fields: Record<string, string> = {},
) {
  assert.ok(page.type === 'login' || page.type === 'loginStep', page.type);
  const answer = submission({ auth_state: page.authState, ...fields });
  const go = page.type === 'login' ? deps.authorization.login : deps.authorization.loginStep;
  return browser.take(await go(answer, browser.state));
}

/** Comes to the page of the first step. */
async function halfway(deps: FlowDependencies, browser: TestBrowser, parameters = {}, fields = {}) {
  const page = await send(deps, browser, await ask(deps, browser, parameters), fields);
  assert.ok(page.type === 'loginStep', page.type);
  return page;
}

const current = ({ sessions, dependencies }: FlowDependencies, browser: TestBrowser) =>
  sessions.current(browser.state, dependencies.authenticators);

const logins = async ({ store }: FlowDependencies) =>
  (await store.auditEvents.list({ kind: 'logins', limit: 99 })).map(({ action }) => action).toSorted();

const stored = ({ store }: FlowDependencies): Promise<LoginSession[]> =>
  store.loginSessions.list({ limit: 9 });

describe('a login with steps', () => {
  it('logs nobody in before the last of them, and then has the factors of all', async () => {
    const deps = await server([codeStep('otp'), codeStep('pop')]);
    const browser = new TestBrowser();
    const first = await halfway(deps, browser);
    const second = await send(deps, browser, first, { code: 'otp' });
    for (const page of [first, second]) {
      assert.equal(page.cookies.session, undefined);
      assert.ok(page.type === 'loginStep', page.type);
      assert.equal(page.owner.principal.name, 'emma');
    }
    assert.equal(await current(deps, browser), undefined);
    assert.deepEqual(deps.loggedInBy, []);
    assert.deepEqual(await logins(deps), []);
    assert.equal(sent(await send(deps, browser, second, { code: 'pop' })), 'code');
    const { authentication, expires, creationDate } = (await current(deps, browser)) ?? assert.fail();
    assert.deepEqual(authentication.amr, ['pwd', 'otp', 'pop', 'mfa']);
    assert.deepEqual([authentication.acr, authentication.level], ['phr', 'phr']);
    assert.equal(authentication.isPending, undefined);
    assert.equal(expires, creationDate + 5_000_000);
    assert.deepEqual(deps.loggedInBy, ['test-login']);
    assert.deepEqual(await logins(deps), ['grant', 'login']);
  });

  it('asks again after a wrong answer, and skips what it does not need', async () => {
    const deps = await server([codeStep('never', () => false), codeStep('otp')]);
    const browser = new TestBrowser();
    const page = await send(deps, browser, await halfway(deps, browser), { code: 'wrong' });
    assert.equal(page.type === 'loginStep' && page.form.status, 403);
    assert.equal(sent(await send(deps, browser, page, { code: 'otp' })), 'code');
    assert.deepEqual((await current(deps, browser))?.authentication.amr, ['pwd', 'otp', 'mfa']);
  });

  it('has steps that need no page in the same answer', async () => {
    const silent: LoginStep = {
      name: 'silent',
      isNeeded: () => true,
      begin: async () => ({ type: 'passed', factor: { amr: ['hwk'] } }),
      resume: async () => assert.fail('has no page'),
    };
    const deps = await server([silent]);
    const browser = new TestBrowser();
    assert.equal(sent(await send(deps, browser, await ask(deps, browser))), 'code');
    assert.deepEqual((await current(deps, browser))?.authentication.amr, ['pwd', 'hwk']);
    assert.equal((await stored(deps)).length, 1);
  });

  it('leads to the own account without a client, and back to the choice of the consent with one', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    const login = browser.take(await deps.authorization.loginForAccount(browser.state, '/account/password'));
    const page = await send(deps, browser, login);
    assert.equal(page.type === 'loginStep' && page.request, undefined);
    assert.equal(
      sent(await send(deps, browser, page, { code: 'otp' })),
      'https://as.example/account/password',
    );
    assert.notEqual(await current(deps, browser), undefined);
    deps.store.putClient({ ...deps.webApp, skipConsent: false });
    const other = new TestBrowser();
    const asked = await send(deps, other, await halfway(deps, other, { prompt: 'select_account' }), {
      code: 'otp',
    });
    assert.equal(asked.type, 'consent');
  });

  it('that is declined is access_denied, and leaves no session', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    const page = await halfway(deps, browser);
    assert.equal(sent(await send(deps, browser, page, { code: 'no' })), 'access_denied');
    assert.deepEqual(await stored(deps), []);
    assert.equal(deps.requestErrorLog.failures.at(-1)?.rule, 'passed_steps');
    assert.equal((await send(deps, browser, page, { code: 'otp' })).type, 'login');
  });

  it('ends with whatever ends sessions', async () => {
    const ends: Record<string, (deps: FlowDependencies, session: LoginSession) => Promise<unknown>> = {
      session: ({ store, clock }, { id }) =>
        store.transact(({ issuedTokens }) => issuedTokens.endSession(id, clock.now())),
      access: ({ store, clock }, { owner }) =>
        store.transact(({ issuedTokens }) =>
          issuedTokens.endSessions(
            { identityProvider: owner.identityProvider, name: owner.principal.name },
            clock.now(),
          ),
        ),
      withdrawal: ({ store, clock }, { owner }) =>
        store.grants.withdraw(owner.subject, [{ clientRecordId: 10 }], clock.now()),
      'identity provider': ({ sessions }) =>
        sessions.endLinked('there', () => true, { clientId: undefined, source: '' }),
    };
    for (const [way, end] of Object.entries(ends)) {
      const deps = await server(undefined, { link: { key: 'there', data: '' } });
      const browser = new TestBrowser();
      const page = await halfway(deps, browser);
      const [pending] = await stored(deps);
      assert.ok(pending?.authentication.isPending);
      await end(deps, pending);
      const answer = await send(deps, browser, page, { code: 'otp' });
      assert.equal(answer.type, 'login', way);
      assert.equal(answer.cookies.session, undefined);
      assert.equal(await current(deps, browser), undefined);
      assert.deepEqual(await logins(deps), [], way);
    }
  });

  it('ends with a logout at the identity provider while its session was being stored', async () => {
    const deps = await server(undefined, { link: { key: 'there', data: '' } });
    const { loginSessions } = deps.store;
    const { insert } = loginSessions;
    loginSessions.insert = async (...given) => {
      await deps.sessions.endLinked('there', () => true, { clientId: undefined, source: '' });
      return insert.call(loginSessions, ...given);
    };
    const browser = new TestBrowser();
    const page = await halfway(deps, browser);
    assert.deepEqual(await stored(deps), []);
    assert.equal((await send(deps, browser, page, { code: 'otp' })).type, 'login');
    assert.equal(await current(deps, browser), undefined);
  });

  it('that ended in between gives nothing unasked to another user who has logged in since', async () => {
    const ends: Record<string, (deps: FlowDependencies, session: LoginSession) => Promise<unknown>> = {
      access: ({ store, clock }, { owner }) =>
        store.grants.withdraw(owner.subject, [{ clientRecordId: 10 }], clock.now()),
      session: ({ store, clock }, { id }) =>
        store.transact(({ issuedTokens }) => issuedTokens.endSession(id, clock.now())),
    };
    for (const [way, end] of Object.entries(ends)) {
      const deps = await server([codeStep('otp', ({ owner }) => owner.principal.name === 'emma')]);
      const browser = new TestBrowser();
      const page = await halfway(deps, browser);
      const [pending] = await stored(deps);
      const other = await send(deps, browser, await ask(deps, browser), { username: 'noah' });
      assert.equal(sent(other), 'code');
      await end(deps, pending ?? assert.fail());
      const answer = await send(deps, browser, page, { code: 'otp' });
      assert.ok(answer.type === 'consent', `${way}: ${answer.type}`);
      assert.equal(answer.owner.principal.name, 'noah');
    }
  });

  it('is refused when the account changed while the first factor was checked', async () => {
    const deps = await server(undefined, { stillHolds: async () => false });
    const browser = new TestBrowser();
    assert.equal(sent(await send(deps, browser, await ask(deps, browser))), 'access_denied');
    assert.deepEqual(await stored(deps), []);
  });

  it('must come to its end in time, and starts again after that', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    const page = await halfway(deps, browser);
    deps.clock.advance(400_000);
    const again = await send(deps, browser, page, { code: 'wrong' });
    deps.clock.advance(250_000);
    // This page is not late, but the login is.
    assert.equal((await send(deps, browser, again, { code: 'otp' })).type, 'login');
    deps.clock.advance(400_000);
    const late = await send(deps, browser, again, { code: 'otp' });
    assert.equal(late.type, 'login');
    assert.notEqual(late.late, undefined);
    assert.equal(await current(deps, browser), undefined);
  });

  it('is of one browser', async () => {
    const deps = await server();
    const page = await halfway(deps, new TestBrowser());
    for (const other of [new TestBrowser(), await visited(deps)]) {
      await assert.rejects(send(deps, other, page, { code: 'otp' }), (error: { kind: string }) =>
        ['unbound_submission', 'invalid_auth_state'].includes(error.kind),
      );
    }
    const login = await ask(deps, new TestBrowser());
    assert.ok(login.type === 'login', login.type);
    const crossed = submission({ auth_state: page.authState, username: 'emma' });
    await assert.rejects(
      deps.authorization.login(crossed, new TestBrowser().state),
      protocolError('unbound_submission'),
    );
  });

  it('has a page that can be sent twice, and has started one session then', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    const page = await halfway(deps, browser);
    const twice = [
      await send(deps, browser, page, { code: 'otp' }),
      await send(deps, browser, page, { code: 'otp' }),
    ];
    assert.deepEqual(twice.map(sent), ['code', 'code']);
    assert.equal(twice[0]?.cookies.session, twice[1]?.cookies.session);
    assert.equal((await stored(deps)).length, 1);
  });

  it('ends the session of another user only with its last step', async () => {
    const deps = await server([codeStep('otp', ({ owner }) => owner.principal.name === 'noah')]);
    const browser = new TestBrowser();
    assert.equal(sent(await send(deps, browser, await ask(deps, browser))), 'code');
    const page = await halfway(deps, browser, { prompt: 'login' }, { username: 'noah' });
    assert.equal((await current(deps, browser))?.owner.principal.name, 'emma');
    assert.equal(sent(await send(deps, browser, page, { code: 'otp' })), 'code');
    assert.equal((await current(deps, browser))?.owner.principal.name, 'noah');
    assert.equal((await stored(deps)).length, 1);
    assert.deepEqual(await logins(deps), ['grant', 'grant', 'login', 'login', 'logout']);
  });

  it('starts again when the configuration has lost the step, and asks another user who has logged in since', async () => {
    const loginSteps = [codeStep('otp', ({ owner }) => owner.principal.name === 'emma')];
    const deps = await server(loginSteps);
    const without = await flowDependencies({
      loginSteps: [],
      basis: { ...deps, seed: 'other' },
      authenticator: byName(),
    });
    deps.store.putClient({ ...deps.webApp, skipConsent: true });
    const later = { ...deps, authorization: without.authorization };
    const browser = new TestBrowser();
    const page = await halfway(deps, browser);
    assert.equal((await send(later, browser, page)).type, 'login');
    await send(deps, browser, await ask(deps, browser), { username: 'noah' });
    assert.equal((await send(later, browser, page)).type, 'consent');
  });
});

describe('what steps have proved', () => {
  const event = { authenticatedAt: 1, sessionId: 's', identityProvider: 'p' };

  it('is added to what the login says', () => {
    const login = { ...event, amr: ['pwd'], isPending: true } as const;
    const factors = [{ amr: ['otp', 'pwd'], level: 'mfa' }, { amr: ['hwk'] }] as const;
    assert.deepEqual(withFactors(login, factors), {
      ...event,
      amr: ['pwd', 'otp', 'hwk', 'mfa'],
      acr: mfa,
      level: 'mfa',
    });
    assert.deepEqual(withFactors(login, [{}]), { ...event, amr: ['pwd'] });
  });

  it('is nothing where neither login nor steps say it', () => {
    assert.deepEqual(withFactors(event, [{}]), event);
    assert.deepEqual(withFactors(event, [{ level: 'sfa' }]), event);
  });

  it('makes a login stronger and never weaker, in any order', () => {
    for (const levels of [
      ['phr', 'mfa'],
      ['mfa', 'phr'],
    ] as const) {
      const { acr, level } = withFactors(
        event,
        levels.map((each) => ({ level: each })),
      );
      assert.deepEqual([acr, level], ['phr', 'phr']);
    }
    const strong = { ...event, acr: 'gold', amr: ['hwk'], level: 'phr' } as const;
    assert.deepEqual(withFactors(strong, [{ level: 'mfa', amr: ['otp'] }]), {
      ...strong,
      amr: ['hwk', 'otp'],
    });
  });

  it('keeps what an identity provider has said of the class', () => {
    const told = { ...event, acr: 'gold' };
    const once = withFactors(told, [{ level: 'mfa' }]);
    assert.deepEqual([once.acr, once.toldAcr], [mfa, 'gold']);
    const twice = withFactors(once, [{ level: 'phr' }]);
    assert.deepEqual([twice.acr, twice.toldAcr], ['phr', 'gold']);
  });
});

describe('a step in a session that is valid', () => {
  let isNeeded = false;
  const signedIn = async () => {
    isNeeded = false;
    const deps = await server([codeStep('otp', () => isNeeded)]);
    const browser = new TestBrowser();
    assert.equal(sent(await send(deps, browser, await ask(deps, browser))), 'code');
    isNeeded = true;
    return { deps, browser, before: (await current(deps, browser)) ?? assert.fail() };
  };

  it('raises the session, which keeps its id and its end, under a new cookie value', async () => {
    const { deps, browser, before } = await signedIn();
    const stolen = browser.state;
    const page = await ask(deps, browser);
    assert.equal(page.type, 'loginStep');
    assert.deepEqual((await current(deps, browser))?.authentication, before.authentication);
    const answer = await send(deps, browser, page, { code: 'otp' });
    assert.equal(sent(answer), 'code');
    assert.notEqual(answer.cookies.session, stolen.session);
    assert.equal(await deps.sessions.current(stolen, deps.dependencies.authenticators), undefined);
    assert.deepEqual(deps.loggedInBy, ['test-login']);
    const { authentication, expires, id } = (await current(deps, browser)) ?? assert.fail();
    assert.deepEqual([id, expires], [before.id, before.expires]);
    assert.deepEqual([authentication.amr, authentication.acr], [['pwd', 'otp', 'mfa'], mfa]);
    assert.deepEqual(await logins(deps), ['grant', 'grant', 'login', 'login']);
  });

  it('gives the client nothing when it is declined, and leaves the session as it was', async () => {
    const { deps, browser, before } = await signedIn();
    assert.equal(sent(await send(deps, browser, await ask(deps, browser), { code: 'no' })), 'access_denied');
    assert.deepEqual(await current(deps, browser), before);
  });

  it('is interaction_required where the client forbids pages', async () => {
    const { deps, browser } = await signedIn();
    assert.equal(sent(await ask(deps, browser, { prompt: 'none' })), 'interaction_required');
  });

  it('is asked again when another user has logged in since, who is also asked for consent', async () => {
    const { deps, browser } = await signedIn();
    const page = await ask(deps, browser);
    isNeeded = false;
    await send(deps, browser, await ask(deps, browser, { prompt: 'login' }), { username: 'noah' });
    assert.equal((await send(deps, browser, page, { code: 'otp' })).type, 'consent');
    assert.deepEqual((await current(deps, browser))?.authentication.amr, ['pwd']);
  });
});

/** A browser that was here before. */
async function visited(deps: FlowDependencies): Promise<TestBrowser> {
  const browser = new TestBrowser();
  await ask(deps, browser);
  return browser;
}
