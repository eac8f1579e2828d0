import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account, AuditEvent, AuthenticationModule } from '@watchword/protocol';
import {
  buildAccount,
  emma,
  flowDependencies,
  protocolError,
  seededRandom,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { passwordEndpoint } from '../src/passwords/password.ts';
import type { PasswordIsSet, PasswordView } from '../src/passwords/password-pages.ts';
import { newResetLink } from '../src/passwords/reset-link.ts';

const typed = { new_password: 'a new and long one', new_password_again: 'a new and long one' };

/** The pages for the account of emma, who can log in. */
async function pages(overrides: Partial<Account> = {}, identityProvider = 'password') {
  const authenticator: AuthenticationModule = {
    name: 'password',
    begin: async () => ({ type: 'authenticated', principal: emma(), identityProvider }),
    resume: async () => ({ type: 'form' }),
  };
  const deps = await flowDependencies({ authenticator });
  const { store, passwords, secretAttempts: attempts, clock } = deps;
  const account = buildAccount({ passwordHash: await passwords.hash('right'), ...overrides });
  await store.accounts.create(account);
  const audited: AuditEvent[] = [];
  const endpoint = passwordEndpoint({
    ...deps.dependencies,
    ...store,
    random: seededRandom('password'),
    audited: (event) => void audited.push(event),
    passwords,
    loginAttempts: Object.assign(attempts, { remember: () => 'device' }),
  });
  const browser = new TestBrowser();
  const logIn = async () =>
    void browser.take(await deps.authorization.loginForAccount(browser.state, '/account'));
  await logIn();
  const page = async () => (await endpoint.showChange(browser.state))?.authState ?? '';
  const change = (auth_state: string, form: Record<string, string> = {}) =>
    endpoint.change(submission({ auth_state, password: 'right', ...typed, ...form }), browser.state);
  const isStillRight = async () =>
    passwords.matches('right', (await store.accounts.find('emma'))?.passwordHash ?? '');
  return { ...deps, account, attempts, audited, browser, change, clock, endpoint, isStillRight, logIn, page };
}

function shownAgain(answer: PasswordView | PasswordIsSet | undefined): PasswordView {
  assert.ok(answer !== undefined && 'authState' in answer, 'the password is set, or nobody is logged in');
  return answer;
}

function problemOf(answer: PasswordView | PasswordIsSet | undefined) {
  return shownAgain(answer).problem;
}

describe('the page for a new password of the own account', () => {
  it('is for the session in which it was shown', async () => {
    const test = await pages();
    const shown = await test.page();
    await test.logIn();
    const before = test.browser.state;
    await test.sessions.end(before, { clientId: undefined, source: '192.0.2.7' });
    assert.equal(await test.change(shown), undefined);
    await test.logIn();
    const again = shownAgain(await test.change(shown));
    assert.ok(again.isLate);
    assert.ok(await test.isStillRight());
    assert.deepEqual(test.attempts.calls, []);
    assert.ok(!('authState' in ((await test.change(again.authState)) ?? again)));
  });

  it('decides nothing when it was open for too long, and comes again', async () => {
    const test = await pages();
    const shown = await test.page();
    test.clock.advance(600_000);
    const again = shownAgain(await test.change(shown, { end_grants: 'yes' }));
    assert.deepEqual([again.isLate, again.endsGrants, again.problem], [true, true, undefined]);
    assert.ok(await test.isStillRight());
    assert.ok(!('authState' in ((await test.change(again.authState)) ?? again)));
  });

  it('is for nobody without a login, for no user of another identity provider, and for no account that is disabled or gone', async () => {
    const test = await pages();
    assert.equal(await test.endpoint.showChange(new TestBrowser().state), undefined);
    const foreign = await pages({}, 'https://idp.example');
    await assert.rejects(foreign.page(), protocolError('access_denied'));
    const disabled = await pages({ disabled: true });
    await assert.rejects(disabled.page(), protocolError('invalid_auth_state'));
    await test.store.accounts.delete('emma', 0);
    await test.logIn();
    await assert.rejects(test.page(), protocolError('invalid_auth_state'));
  });

  it('asks once more for a wrong password, with the box as it was ticked', async () => {
    const test = await pages();
    const { attempts, change, isStillRight, page } = test;
    const wrong = await change(await page(), { password: 'wrong', end_grants: 'yes' });
    assert.deepEqual(problemOf(wrong), { message: { key: 'password.wrong' }, status: 403 });
    assert.ok(shownAgain(wrong).endsGrants);
    const again = shownAgain(await change(shownAgain(wrong).authState, { password: 'wrong' }));
    assert.equal(again.endsGrants, false);
    assert.deepEqual(again.cookies, {});
    assert.ok(await isStillRight());
    assert.deepEqual(
      attempts.calls.map(([call]) => call),
      ['begin', 'begin'],
    );
  });

  it('counts no attempt for a new password that is not accepted, and none while it cannot compare', async () => {
    const { attempts, change, isStillRight, page, passwords } = await pages();
    const differing = await change(await page(), { new_password_again: 'another' });
    assert.deepEqual(problemOf(differing), { message: { key: 'password.differ' }, status: 400 });
    const short = await change(await page(), { new_password: 'x', new_password_again: 'x' });
    assert.deepEqual(problemOf(short), {
      message: { key: 'password.rules', values: { count: '15' } },
      status: 400,
    });
    assert.equal(attempts.calls.length, 0);
    passwords.failure = new Error('too many wait');
    await assert.rejects(change(await page()), /too many wait/);
    assert.deepEqual(
      attempts.calls.map(([call]) => call),
      ['begin', 'withdraw'],
    );
    assert.ok(await isStillRight());
  });

  it('compares no password while attempts must wait, and says how many seconds', async () => {
    const { attempts, change, page, passwords } = await pages();
    attempts.wait = 1500;
    const message = { key: 'login.wait', values: { seconds: '2' } };
    const answer = await change(await page());
    assert.deepEqual(problemOf(answer), { message, status: 429, retryAfter: 2 });
    assert.deepEqual(passwords.compared, []);
  });
});

describe('the page of a reset link', () => {
  /** Emma has a link that expires in an hour. */
  async function withLink(overrides: Partial<Account> = {}) {
    const { clock } = await pages();
    const { value, stored } = newResetLink(clock.now(), seededRandom('link'));
    return { ...(await pages({ resetLink: stored, ...overrides })), link: value, expires: stored.expires };
  }

  it('comes again when it was open for too long, and then sets the password', async () => {
    const { endpoint, link, browser, clock, isStillRight } = await withLink();
    const { authState } = await endpoint.showReset(link, browser.state);
    clock.advance(600_000);
    const send = (auth_state: string) => endpoint.reset(submission({ auth_state, ...typed }), browser.state);
    const again = shownAgain(await send(authState));
    assert.ok(again.isLate);
    assert.ok(await isStillRight());
    assert.ok(!('authState' in (await send(again.authState))));
    assert.ok(!(await isStillRight()));
  });

  it('gives a browser the cookie that binds it, and keeps one that is there', async () => {
    const { endpoint, link } = await withLink();
    const browser = new TestBrowser();
    const first = await endpoint.showReset(link, browser.state);
    assert.match(first.cookies.binding ?? '', /^[\w-]{43}$/);
    const state = { ...browser.state, binding: first.cookies.binding };
    assert.deepEqual((await endpoint.showReset(link, state)).cookies, {});
  });

  it('sets the password of a link once', async () => {
    const { audited, endpoint, isStillRight, link, store } = await withLink();
    const state = { ...new TestBrowser().state, binding: 'b'.repeat(43) };
    const { authState } = await endpoint.showReset(link, state);
    const differing = submission({ auth_state: authState, ...typed, new_password_again: 'x' });
    const problem = problemOf(await endpoint.reset(differing, state));
    assert.deepEqual(problem, { message: { key: 'password.differ' }, status: 400 });
    assert.ok(await isStillRight());
    const form = submission({ auth_state: authState, ...typed });
    assert.deepEqual(await endpoint.reset(form, state), { cookies: { device: 'device' } });
    assert.deepEqual(
      audited.map(({ action, recordName }) => [action, recordName]),
      [['changePassword', 'emma']],
    );
    assert.deepEqual(await store.auditEvents.list({ limit: 1, kind: 'changes' }), audited);
    assert.equal((await store.accounts.find('emma'))?.resetLink, undefined);
    assert.ok(!(await isStillRight()));
    await assert.rejects(endpoint.reset(form, state), protocolError('invalid_reset_link'));
  });

  it('counts what is no valid link, and makes it wait', async () => {
    const test = await withLink();
    const { attempts, clock, endpoint, expires, link } = test;
    const show = (text = link) => endpoint.showReset(text, new TestBrowser().state);
    await assert.rejects(show('wwp_x'), protocolError('invalid_reset_link'));
    assert.equal(attempts.calls.length, 0);
    clock.advance(expires - clock.now() - 1);
    await show();
    clock.advance(1);
    await assert.rejects(show(), protocolError('invalid_reset_link'));
    assert.equal(attempts.calls.length, 1);
    attempts.wait = 1500;
    const error = await show().catch((caught) => caught);
    assert.ok(protocolError('too_many_requests')(error));
    assert.equal(error.retryAfter, 2);
  });

  it('is not shown for an account that is disabled', async () => {
    const { endpoint, link } = await withLink({ disabled: true });
    const shown = endpoint.showReset(link, new TestBrowser().state);
    await assert.rejects(shown, protocolError('invalid_reset_link'));
  });
});
