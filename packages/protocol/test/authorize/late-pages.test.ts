import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  emma,
  flowDependencies,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type { AuthorizationAnswer } from '../../src/authorize/authorization-answer.ts';
import type { AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';

// The lifetime of a page in milliseconds, and less than the session has.
const lifetime = 600_000;

/** A form that counts what it is asked. */
function countingForm(name: string) {
  const asked: string[] = [];
  const module: AuthenticationModule = {
    name,
    begin: async () => ({ type: 'form' }),
    async resume(_context, form) {
      const [username = ''] = form.get('username') ?? [];
      asked.push(username);
      return { type: 'authenticated', principal: emma({ name: username }) };
    },
  };
  return { asked, module };
}

async function server(...names: readonly string[]) {
  const forms = (names.length === 0 ? ['test-login'] : names).map(countingForm);
  const deps = await flowDependencies({
    authenticators: new Map(forms.map(({ module }) => [module.name, module])),
  });
  const browser = new TestBrowser();
  const { authorization } = deps;
  const answerOf = async (step: Promise<AuthorizationAnswer>) => browser.take(await step);
  const post = (
    step: 'login' | 'consent' | 'selectAccount' | 'switchOwner' | 'startAgain' | 'choose',
    page: AuthorizationAnswer,
    form: Record<string, string> = {},
  ) => {
    assert.ok('authState' in page, page.type);
    return answerOf(authorization[step](submission({ auth_state: page.authState, ...form }), browser.state));
  };
  const start = (parameters = {}) =>
    answerOf(authorization.authorize(authorizationRequest({ state: 's', ...parameters }), browser.state));
  const consentPage = async () => post('login', await start(), { username: 'emma' });
  const grants = async () => {
    const [session] = await deps.store.loginSessions.list({ limit: 1 });
    return deps.store.grants.listBySubject(session?.owner.subject ?? '', deps.clock.now());
  };
  return { ...deps, browser, forms, post, start, consentPage, grants };
}

function assertLate(answer: AuthorizationAnswer, type: AuthorizationAnswer['type']) {
  assert.equal(answer.type, type);
  assert.ok(answer.late !== undefined);
}

describe('a page that is sent after it was open for too long', () => {
  it('of a login logs nobody in: it comes again with what was typed, and then goes on', async () => {
    const { start, post, clock, forms, browser } = await server();
    const page = await start();
    clock.advance(lifetime);
    const again = await post('login', page, { username: 'emma', password: 'secret' });
    assertLate(again, 'login');
    assert.equal(again.late?.get('username')?.[0], 'emma');
    assert.deepEqual(forms[0]?.asked, []);
    assert.equal(browser.state.session, undefined);
    const consent = await post('login', again, { username: 'emma' });
    assert.equal(consent.type, 'consent');
    assert.equal(consent.late, undefined);
    const done = await post('consent', consent, { decision: 'allow' });
    assert.ok(done.type === 'redirect' && done.location.startsWith('https://app.example/cb?'), done.type);
    assert.match(done.location, /[?&]state=s(&|$)/);
  });

  it('is no late one within its time', async () => {
    const { start, post, clock } = await server();
    const page = await start();
    clock.advance(lifetime - 1);
    const consent = await post('login', page, { username: 'emma' });
    assert.equal(consent.type, 'consent');
    clock.advance(lifetime - 1);
    assert.equal((await post('consent', consent, { decision: 'allow' })).type, 'redirect');
  });

  it('of a login leads on without a question that is not needed, and with one that was needed before', async () => {
    const { browser, clock, consentPage, post, sessions, start, store, webApp } = await server();
    const shown = await consentPage();
    await post('consent', await start(), { decision: 'allow' });
    const end = () => sessions.end(browser.state, { clientId: undefined, source: '' });
    const late = async (page: AuthorizationAnswer) => {
      clock.advance(lifetime);
      const again = await post('login', page, { username: 'emma' });
      assertLate(again, 'login');
      return post('login', again, { username: 'emma' });
    };
    await end();
    assert.equal((await late(await start())).type, 'redirect');
    await end();
    store.putClient({ ...webApp, skipConsent: true });
    // Its user was asked whether to give access, and is logged out before the answer.
    assert.equal((await late(await post('consent', shown, { decision: 'allow' }))).type, 'consent');
  });

  it('of a consent gives no access and remembers nothing, whatever the answer was', async () => {
    for (const form of [{ decision: 'allow', granted_scopes: 'read' }, { decision: 'deny' }] as Record<
      string,
      string
    >[]) {
      const { consentPage, post, clock, grants, store } = await server();
      const page = await consentPage();
      clock.advance(lifetime);
      const again = await post('consent', page, form);
      assertLate(again, 'consent');
      assert.equal(again.late?.get('decision')?.[0], form.decision);
      assert.deepEqual(await grants(), []);
      assert.deepEqual(await store.consents.listBySubject('owner' in again ? again.owner.subject : ''), []);
      assert.equal((await post('consent', again, { decision: 'allow' })).type, 'redirect');
    }
  });

  it('with a "Deny" is no consent, even if the same was allowed in another tab meanwhile', async () => {
    const { consentPage, post, start, clock } = await server();
    const page = await consentPage();
    await post('consent', await start(), { decision: 'allow' });
    clock.advance(lifetime);
    assert.equal((await start()).type, 'redirect');
    assertLate(await post('consent', page, { decision: 'deny' }), 'consent');
  });

  it('ends no session for "Not you?", and starts a request again from each other step', async () => {
    const { consentPage, post, start, clock, browser } = await server();
    const page = await consentPage();
    const { session } = browser.state;
    const other = await start();
    await post('consent', other, { decision: 'allow' });
    const answered = await post('consent', other, { decision: 'deny' });
    assert.equal(answered.type, 'answered');
    const selecting = await start({ prompt: 'select_account' });
    assert.equal(selecting.type, 'selectAccount');
    clock.advance(lifetime);
    assertLate(await post('switchOwner', page), 'consent');
    assert.equal(browser.state.session, session);
    assertLate(await post('selectAccount', selecting, { account: 'other' }), 'selectAccount');
    assert.equal((await post('startAgain', answered)).type, 'redirect');
    await post('login', await start({ prompt: 'login' }), { username: 'emma' });
    const choice = await post('selectAccount', selecting, { account: 'current' });
    assertLate(choice, 'selectAccount');
    assert.equal((await post('selectAccount', choice, { account: 'current' })).type, 'redirect');
  });

  it('lets nobody go on unasked as another user who has logged in meanwhile, whose consent is remembered', async () => {
    const { start, post, clock, browser, sessions } = await server();
    const page = await start();
    const other = await start();
    const consent = await post('login', other, { username: 'emma' });
    await post('consent', consent, { decision: 'allow' });
    const answered = await post('consent', consent, { decision: 'allow' });
    await sessions.end(browser.state, { clientId: undefined, source: '' });
    await post('login', await start(), { username: 'emma' });
    clock.advance(lifetime);
    assert.equal((await start()).type, 'redirect');
    assertLate(await post('login', page, { username: 'olivia' }), 'consent');
    assertLate(await post('startAgain', answered), 'consent');
    for (const form of [{ username: 'emma' }, {}])
      assert.equal((await post('login', page, form)).type, 'redirect');
  });

  it('goes on with the first step that is not done: the login, if the session has ended', async () => {
    const { consentPage, post, clock, sessions, browser } = await server();
    const page = await consentPage();
    await sessions.end(browser.state, { clientId: undefined, source: '' });
    clock.advance(lifetime);
    const login = await post('consent', page, { decision: 'allow' });
    assertLate(login, 'login');
    assert.equal((await post('login', login, { username: 'emma' })).type, 'consent');
  });

  it('demands the login again that the client demands, which is not new any more', async () => {
    const { start, post, clock } = await server();
    const page = await post('login', await start({ prompt: 'login' }), { username: 'emma' });
    assert.equal(page.type, 'consent');
    clock.advance(lifetime);
    assertLate(await post('consent', page, { decision: 'allow' }), 'login');
  });

  it('stays with the authenticator that was chosen, and takes another choice', async () => {
    const { start, post, clock, forms } = await server('one', 'two');
    const choice = await start();
    const form = await post('choose', choice, { authenticator: 'two' });
    assert.equal(form.late, undefined);
    clock.advance(lifetime);
    const again = await post('login', form, { username: 'emma' });
    assertLate(again, 'login');
    assert.ok(again.type === 'login');
    assert.equal(again.authenticator, 'two');
    const other = await post('choose', choice, { authenticator: 'one' });
    assert.ok(other.type === 'login');
    assert.equal(other.authenticator, 'one');
    assertLate(await post('choose', choice), 'authenticators');
    assert.deepEqual(
      forms.map(({ asked }) => asked),
      [[], []],
    );
  });

  it('at the address of a module belongs to that module alone, which learns that it is late', async () => {
    const { start, post, clock, browser, authorization } = await server('one', 'two');
    const form = await post('choose', await start(), { authenticator: 'two' });
    clock.advance(lifetime);
    assert.ok('authState' in form);
    const sent = submission({ auth_state: form.authState });
    const refused = protocolError('invalid_auth_state');
    await assert.rejects(authorization.login(sent, browser.state, 'one'), refused);
    await assert.rejects(authorization.pendingLogin(sent, browser.state, 'one'), refused);
    const { request, isLate } = await authorization.pendingLogin(sent, browser.state, 'two');
    assert.deepEqual([request?.client.clientId, isLate], ['web-app', true]);
  });
});

describe('a late page whose request is lost', () => {
  type Test = Awaited<ReturnType<typeof server>>;
  const lost = async (kind: string, change: (test: Test) => unknown) => {
    const test = await server();
    const pages = [await test.start(), await test.consentPage()];
    test.clock.advance(lifetime);
    await change(test);
    for (const [index, step] of (['login', 'consent'] as const).entries()) {
      const page = pages[index];
      assert.ok(page !== undefined);
      await assert.rejects(
        test.post(step, page, { username: 'emma', decision: 'allow' }),
        protocolError(kind as 'invalid_request'),
      );
    }
    assert.deepEqual(await test.grants(), []);
  };

  it('leads to no redirect URI that the client has lost, and to no client that is gone', async () => {
    await lost('invalid_request', ({ store, webApp }) =>
      store.putClient({ ...webApp, redirectUris: ['https://other.example/cb'] }),
    );
    await lost('invalid_request', ({ store, webApp }) => store.clients.delete(webApp.id));
  });

  it('is of no use in another browser, and not after its sealing key', async () => {
    const test = await server();
    const page = await test.start();
    test.clock.advance(lifetime);
    const thief = new TestBrowser();
    thief.take(await test.authorization.authorize(authorizationRequest(), thief.state));
    assert.ok('authState' in page);
    const form = submission({ auth_state: page.authState, username: 'emma' });
    const stolen = test.authorization.login(form, thief.state);
    await assert.rejects(stolen, protocolError('invalid_auth_state'));
    const changed = { auth_state: `${page.authState}A` };
    await assert.rejects(test.post('login', page, changed), protocolError('invalid_auth_state'));
  });
});
