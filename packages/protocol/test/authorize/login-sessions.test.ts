import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  emma,
  flowDependencies,
  seededRandom,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type { Authenticated, AuthenticationModule } from '../../src/ports/modules/authentication-module.ts';
import { createBearerValue } from '../../src/tokens/bearer-value.ts';

const origin = { clientId: undefined, source: '192.0.2.7' };
const binding = 'of the browser';

async function started() {
  const deps = await flowDependencies();
  const login = { principal: emma() };
  const start = (session?: string) => deps.sessions.start(login, 'test-login', { binding, session }, origin);
  const isActive = async (session: string | undefined, of: string | undefined = binding) =>
    (await deps.sessions.current({ session, binding: of }, deps.dependencies.authenticators)) !== undefined;
  return { ...deps, ...(await start()), isActive };
}

describe('a login session', () => {
  it('needs both of its cookies: the secret half of the one, and the binding of the browser', async () => {
    const { clock, isActive, session, sessions, value } = await started();
    const forged = createBearerValue('session', clock.now(), seededRandom('thief'), undefined, session.id);
    assert.ok(await isActive(value));
    assert.ok(!(await isActive(forged.value)));
    assert.ok(!(await isActive(value, 'of another browser')));
    assert.ok(!(await sessions.end({ session: value, binding: undefined }, origin)));
    assert.ok(!(await sessions.end({ session: undefined, binding }, origin)));
    assert.ok(!(await sessions.end({ session: forged.value, binding }, origin)));
    assert.ok(await isActive(value));
  });

  it('that its owner ends is logged without another cause, and has no link to one elsewhere', async () => {
    const { session, sessions, store, value } = await started();
    assert.equal(await store.sessionLinks.find(session.id), undefined);
    await sessions.end({ session: value, binding }, origin);
    const events = await store.auditEvents.list({ limit: 9 });
    const logout = events.find(({ action }) => action === 'logout') ?? assert.fail();
    assert.equal(logout.after, undefined);
  });
});

/** The login page of a module, on which emma can log in. */
async function page(authenticated?: Partial<Authenticated>) {
  const authenticator: AuthenticationModule = {
    name: 'test-login',
    begin: async () => ({ type: 'form' }),
    resume: async () => ({ type: 'authenticated', principal: emma(), ...authenticated }),
  };
  const deps = await flowDependencies({ authenticator });
  const browser = new TestBrowser();
  const shown = browser.take(await deps.authorization.authorize(authorizationRequest(), browser.state));
  assert.ok(shown.type === 'login', shown.type);
  const form = submission({ auth_state: shown.authState, username: 'emma' });
  const logIn = async (state = browser.state) => browser.take(await deps.authorization.login(form, state));
  return { ...deps, browser, logIn };
}

describe('the cookies of a login', () => {
  it('are that of the session, that of the device if the module knows it, and that of the browser if it has none', async () => {
    const { logIn } = await page();
    assert.deepEqual(Object.keys((await logIn()).cookies), ['session']);
    const known = await page({ device: 'emma here' });
    const { cookies } = await known.logIn();
    assert.deepEqual([Object.keys(cookies).toSorted(), cookies.device], [['device', 'session'], 'emma here']);
  });
});

describe('a login page that is submitted again', () => {
  it('in the session that it has started leaves the user logged in, in one session', async () => {
    const ofClient = await page();
    const own = await flowDependencies();
    const ofAccount = new TestBrowser();
    const shown = ofAccount.take(await own.authorization.loginForAccount(ofAccount.state, '/account'));
    assert.ok(shown.type === 'login', shown.type);
    const form = submission({ auth_state: shown.authState, username: 'emma' });
    const logInForAccount = async () =>
      void ofAccount.take(await own.authorization.login(form, ofAccount.state));
    for (const [deps, browser, logIn] of [
      [ofClient, ofClient.browser, () => ofClient.logIn()],
      [own, ofAccount, logInForAccount],
    ] as const) {
      await logIn();
      await logIn();
      const current = await deps.sessions.current(browser.state, deps.dependencies.authenticators);
      assert.ok(current !== undefined);
      const all = await deps.store.loginSessions.list({ limit: 9 });
      assert.deepEqual(
        all.map(({ id }) => id),
        [current.id],
      );
    }
  });

  it('starts a session of its own where each is tied to one elsewhere', async () => {
    const link = { key: 'emma there', data: 'session there' };
    const { browser, logIn, sessions, store } = await page({ link });
    const { state } = browser;
    await Promise.all([logIn(state), logIn(state)]);
    const all = await store.loginSessions.list({ limit: 9 });
    const links = await Promise.all(all.map(async (session) => (await sessions.linkOf(session))?.data));
    assert.deepEqual(links, ['session there', 'session there']);
  });
});
