import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthenticationModule, LoginStep } from '@watchword/protocol';
import {
  authorizationRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  sent,
  submission,
  TestBrowser,
} from '@watchword/testkit';

type Answer = Awaited<ReturnType<FlowDependencies['authorization']['authorize']>>;

const mfa = 'https://refeds.org/profile/mfa';
const origin = { clientId: undefined, source: '' };

/** Passwords: whoever is named logs in, with the roles of now and the class that the form names. */
function passwords(): { readonly module: AuthenticationModule; readonly roles: string[]; asked: number } {
  const known = { roles: ['staff'], asked: 0 };
  return Object.assign(known, {
    module: {
      name: 'test-login',
      begin: async () => {
        known.asked += 1;
        return { type: 'form' } as const;
      },
      resume: async (_: unknown, fields: ReadonlyMap<string, readonly string[]>) => {
        const [name = 'emma'] = fields.get('username') ?? [];
        const [acr] = fields.get('acr') ?? [];
        const principal = emma({ name, roles: [...known.roles] });
        return { type: 'authenticated', principal, amr: ['pwd'], ...(acr !== undefined && { acr }) } as const;
      },
    },
  });
}

/** A second factor, which everybody has. It is asked while the policy says so, and where a client requires it. */
function secondFactor(policy: { isAsked: boolean }): LoginStep {
  const form = { type: 'form', title: 'Code', choices: [{ value: 'go', text: 'Go' }] } as const;
  return {
    name: 'second',
    isNeeded: ({ authentication }, { request }) =>
      authentication.level === undefined &&
      (policy.isAsked || request?.openid?.claims?.id_token?.acr !== undefined),
    reach: async () => 'mfa',
    begin: async () => form,
    resume: async () => ({ type: 'passed', factor: { amr: ['otp'], level: 'mfa' } }),
  };
}

async function loggedIn() {
  const policy = { isAsked: false };
  const first = passwords();
  const deps = await flowDependencies({ authenticator: first.module, loginSteps: [secondFactor(policy)] });
  deps.store.putClient({
    ...deps.webApp,
    skipConsent: true,
    backchannelLogoutUri: 'https://app.example/bye',
  });
  const browser = new TestBrowser();
  const ask = async (parameters: Record<string, string> = {}) =>
    browser.take(await deps.authorization.authorize(authorizationRequest(parameters), browser.state));
  const send = async (page: Answer, fields: Record<string, string> = {}) => {
    assert.ok(page.type === 'login' || page.type === 'loginStep', page.type);
    const go = page.type === 'login' ? deps.authorization.login : deps.authorization.loginStep;
    return browser.take(await go(submission({ auth_state: page.authState, ...fields }), browser.state));
  };
  const isIn = async (state = browser.state) =>
    (await deps.sessions.current(state, deps.dependencies.authenticators)) !== undefined;
  assert.equal(sent(await send(await ask({ scope: 'openid' }))), 'code');
  const [before = assert.fail()] = await deps.store.loginSessions.list({ limit: 9 });
  const only = async () => {
    const [session = assert.fail(), ...others] = await deps.store.loginSessions.list({ limit: 9 });
    assert.deepEqual(others, []);
    return session;
  };
  deps.clock.advance(10_000);
  return { deps, policy, first, browser, ask, send, isIn, before, only };
}

const essential = JSON.stringify({ id_token: { acr: { essential: true, value: mfa } } });

describe('a session in which the same person logs in again', () => {
  for (const [why, parameters] of [
    ['prompt=login', { prompt: 'login' }],
    ['max_age', { max_age: '9' }],
  ] as const) {
    it(`is raised by ${why}: id and end stay, and so do its clients`, async () => {
      const { deps, first, browser, ask, send, before, only, isIn } = await loggedIn();
      const stolen = browser.state;
      first.roles.push('boss');
      assert.equal(sent(await send(await ask(parameters))), 'code');
      const raised = await only();
      assert.deepEqual([raised.id, raised.expires, raised.ends], [before.id, before.expires, before.ends]);
      assert.equal(raised.authentication.authenticatedAt, deps.clock.now());
      assert.equal(raised.authentication.sessionId, before.id);
      assert.deepEqual(raised.owner.principal.roles, ['staff', 'boss']);
      const clients = await deps.store.sessionClients.list(before.id);
      assert.deepEqual(
        clients.map(({ clientRecordId }) => clientRecordId),
        [deps.webApp.id],
      );
      // Whoever has the cookie value of before has nothing.
      assert.ok(!(await isIn(stolen)));
      assert.ok(await isIn());
    });
  }

  it('is raised by a login with further steps too, which waits beside it', async () => {
    const { deps, policy, browser, ask, send, before, only, isIn } = await loggedIn();
    policy.isAsked = true;
    const stolen = browser.state;
    const step = await send(await ask({ prompt: 'login' }));
    assert.equal(step.type, 'loginStep');
    // Until the last step nothing has changed.
    assert.ok(await isIn(stolen));
    assert.equal((await deps.store.loginSessions.list({ limit: 9 })).length, 2);
    assert.equal(sent(await send(step)), 'code');
    const raised = await only();
    assert.deepEqual([raised.id, raised.expires, raised.ends], [before.id, before.expires, before.ends]);
    assert.deepEqual(
      [raised.authentication.level, raised.authentication.amr],
      ['mfa', ['pwd', 'otp', 'mfa']],
    );
    assert.equal((await deps.store.sessionClients.list(before.id)).length, 1);
    assert.ok(!(await isIn(stolen)));
    assert.ok(await isIn());
  });

  it('is asked for the second factor alone where only that is missing', async () => {
    const { first, ask, send, before, only } = await loggedIn();
    const [asked, step] = [first.asked, await ask({ scope: 'openid', claims: essential })];
    assert.equal(step.type, 'loginStep');
    assert.equal(sent(await send(step)), 'code');
    assert.equal(first.asked, asked);
    const { id, authentication } = await only();
    assert.deepEqual([id, authentication.level], [before.id, 'mfa']);
    // The first factor was not proved again.
    assert.equal(authentication.authenticatedAt, before.authentication.authenticatedAt);
  });

  it('is asked for the second factor alone where the login is of the required class already', async () => {
    const { deps, first, ask, send } = await loggedIn();
    assert.equal(sent(await send(await ask({ prompt: 'login' }), { acr: 'gold' })), 'code');
    deps.store.putClient({ ...deps.webApp, skipConsent: true, loginLevel: 'mfa' });
    const gold = JSON.stringify({ id_token: { acr: { essential: true, value: 'gold' } } });
    const [asked, step] = [first.asked, await ask({ scope: 'openid', claims: gold })];
    assert.equal(step.type, 'loginStep');
    assert.equal(sent(await send(step)), 'code');
    assert.equal(first.asked, asked);
  });

  it('is asked for both where the login is too old as well', async () => {
    const { deps, first, ask, send, before, only } = await loggedIn();
    const asked = first.asked;
    const page = await ask({ scope: 'openid', claims: essential, max_age: '9' });
    assert.equal(page.type, 'login');
    assert.equal(sent(await send(await send(page))), 'code');
    assert.equal(first.asked, asked + 1);
    const { id, authentication } = await only();
    assert.deepEqual([id, authentication.level], [before.id, 'mfa']);
    assert.equal(authentication.authenticatedAt, deps.clock.now());
  });

  it('has the level of the last login: a password alone makes nobody strong by what was proved before', async () => {
    const { ask, send, only } = await loggedIn();
    assert.equal(sent(await send(await ask({ scope: 'openid', claims: essential }))), 'code');
    assert.equal((await only()).authentication.level, 'mfa');
    assert.equal(sent(await send(await ask({ prompt: 'login' }))), 'code');
    assert.equal((await only()).authentication.level, undefined);
  });

  it('is one session when the page is sent twice', async () => {
    const { deps, browser, ask, send, before, only, isIn } = await loggedIn();
    const page = await ask({ prompt: 'login' });
    assert.ok(page.type === 'login');
    const [old, form] = [browser.state, submission({ auth_state: page.authState })];
    assert.equal(sent(await send(page)), 'code');
    // The second one was under way with the cookies of before.
    assert.equal(sent(browser.take(await deps.authorization.login(form, old))), 'code');
    assert.equal((await only()).id, before.id);
    assert.ok(await isIn());
  });
});

describe('a session is not raised', () => {
  it('by another person, who has a session of their own', async () => {
    for (const isAsked of [false, true]) {
      const { policy, ask, send, before, only } = await loggedIn();
      policy.isAsked = isAsked;
      const answer = await send(await ask({ prompt: 'login' }), { username: 'noah' });
      assert.equal(sent(isAsked ? await send(answer) : answer), 'code');
      const { id, owner } = await only();
      assert.equal(owner.principal.name, 'noah');
      assert.notEqual(id, before.id);
    }
  });

  it('once it has ended: the login begins another one, and the id of the ended one never comes back', async () => {
    for (const isAsked of [false, true]) {
      const { deps, policy, browser, ask, send, before, only } = await loggedIn();
      policy.isAsked = isAsked;
      const page = await ask({ prompt: 'login' });
      const step = isAsked ? await send(page) : page;
      await deps.sessions.end(browser.state, origin);
      assert.equal(sent(await send(step)), 'code');
      assert.notEqual((await only()).id, before.id);
    }
  });

  it('after its idle time: the login begins another one', async () => {
    const { deps, ask, send, before, only } = await loggedIn();
    deps.clock.advance(1_000_000);
    assert.equal(sent(await send(await ask())), 'code');
    assert.notEqual((await only()).id, before.id);
  });

  it('when it ends at the moment at which the login is stored', async () => {
    for (const isAsked of [false, true]) {
      const { deps, policy, browser, ask, send, before, only } = await loggedIn();
      policy.isAsked = isAsked;
      const page = await ask({ prompt: 'login' });
      const step = isAsked ? await send(page) : page;
      const { raise } = deps.store.loginSessions;
      let isEnded = false;
      Object.assign(deps.store.loginSessions, {
        raise: async (...parts: Parameters<typeof raise>) => {
          if (!isEnded && parts[0].id === before.id) {
            isEnded = true;
            await deps.sessions.end(browser.state, origin);
          }
          return raise(...parts);
        },
      });
      assert.equal(sent(await send(step)), 'code');
      assert.ok(isEnded);
      assert.notEqual((await only()).id, before.id);
    }
  });

  it('by a login that waited while access of the person ended', async () => {
    const { deps, policy, ask, send, before, isIn } = await loggedIn();
    policy.isAsked = true;
    const step = await send(await ask({ prompt: 'login' }));
    for (const session of await deps.store.loginSessions.list({ limit: 9 }))
      if (session.id !== before.id) await deps.store.loginSessions.insert({ ...session, ends: 1 });
    assert.equal((await send(step)).type, 'login');
    assert.ok(await isIn());
    assert.equal((await deps.store.loginSessions.find(before.id))?.authentication.level, undefined);
  });
});
