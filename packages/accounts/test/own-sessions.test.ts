import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type FlowDependencies,
  flowDependencies,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { accountEndpoint } from '../src/index.ts';

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function signedIn(deps: FlowDependencies, username: string): Promise<TestBrowser> {
  const browser = new TestBrowser();
  const login = browser.take(await deps.authorization.loginForAccount(browser.state, '/account'));
  assert.ok(login.type === 'login', login.type);
  const form = submission({ auth_state: login.authState, username });
  browser.take(await deps.authorization.login(form, { ...browser.state, userAgent }));
  return browser;
}

async function opened(username = 'emma') {
  const deps = await flowDependencies();
  const account = accountEndpoint({ ...deps.dependencies, ...deps, sessions: deps.sessions });
  const browser = await signedIn(deps, username);
  const view = async (of: TestBrowser) => (await account.show(of.state)) ?? assert.fail('not logged in');
  return { deps, account, browser, view };
}

describe('the sessions of a resource owner', () => {
  it('are all valid ones with device and address, that of this browser first', async () => {
    const { deps, browser, view } = await opened();
    deps.clock.advance(60_000);
    await signedIn(deps, 'emma');
    await signedIn(deps, 'mallory');
    const { sessions } = await view(browser);
    assert.deepEqual(
      sessions.map(({ device, source, isCurrent }) => ({ device, source, isCurrent })),
      [true, false].map((isCurrent) => ({ device: 'Firefox, Linux', source: '192.0.2.7', isCurrent })),
    );
  });

  it('are, of very many, the newest and that of this browser', async () => {
    const { deps, browser, view } = await opened();
    for (let newer = 0; newer < 51; newer += 1) {
      deps.clock.advance(1);
      await signedIn(deps, 'emma');
    }
    const { sessions } = await view(browser);
    assert.equal(sessions[0]?.isCurrent, true);
    assert.equal(sessions.filter(({ isCurrent }) => isCurrent).length, 1);
    assert.equal(sessions.length, 51);
  });

  it('end one by one, in the session that shows them, and never one of another user', async () => {
    const { deps, account, browser, view } = await opened();
    const [other, stranger] = [await signedIn(deps, 'emma'), await signedIn(deps, 'mallory')];
    const { authState: auth_state, sessions } = await view(browser);
    const foreign = (await view(stranger)).sessions[0]?.id ?? '';
    const end = (session: string, of = browser) =>
      account.endSession(submission({ auth_state, session }), of.state);
    for (const id of [foreign, '', 'x', foreign.replace(/./, 'f')]) {
      await assert.rejects(end(id), protocolError('not_found'), id);
    }
    await assert.rejects(end(foreign, stranger), protocolError('invalid_auth_state'));
    assert.ok(await end(sessions[1]?.id ?? ''));
    assert.equal(await account.show(other.state), undefined);
    assert.equal((await view(browser)).sessions.length, 1);
    await view(stranger);
    deps.clock.advance(3_600_000);
    assert.ok(!(await end(sessions[0]?.id ?? '')));
    const ends = (await deps.store.auditEvents.list({ limit: 99 })).filter(
      ({ action }) => action === 'logout',
    );
    assert.equal(ends.length, 1);
  });

  it('end all at once, however many there are, and this one by a logout', async () => {
    const { deps, account, browser, view } = await opened();
    const others = await Promise.all(Array.from({ length: 60 }, () => signedIn(deps, 'emma')));
    const stranger = await signedIn(deps, 'mallory');
    const { authState: auth_state } = await view(browser);
    const logout = await account.endSessions(submission({ auth_state, everywhere: 'yes' }), browser.state);
    assert.equal(typeof logout, 'string');
    for (const other of others) assert.equal(await account.show(other.state), undefined);
    assert.equal((await view(browser)).sessions.length, 1);
    await view(stranger);
  });
});
