import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '@watchword/protocol';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import { lastMail } from '@watchword/server-testkit/neighbours/mailbox';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import {
  type AccountUsers,
  accountUsers,
  isLoggedIn,
} from '@watchword/server-testkit/servers/account-server';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { engine } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertPageHeaders } from '../support/browser-answers.ts';

const password = 'correct horse battery';

let server: TestServer & AccountUsers;
before(async () => {
  const started = await startServer({ authenticator: 'password' }, engine, false, true);
  server = { ...started, ...(await accountUsers(started)) };
});
after(() => server[Symbol.asyncDispose]());

const url = (path: string) => `${server.baseUrl}${path}`;

const codesOf = ({ html }: Page) =>
  [...html.matchAll(/<code>((?:\w{4}-){3}\w{4})<\/code>/g)].map(([, code]) => code ?? '');

/** Adds an app to an account. @returns it, and the page with the recovery codes */
async function addApp(agent: UserAgent, name = '') {
  const page = await agent.get(url('/account/totp'));
  const app = AuthenticatorApp.of(page);
  return { app, page: await agent.submit(page, { code: app.code(), name }) };
}

/** Somebody who has an app, whose code of now is used. */
async function person(username: string) {
  await server.addAccount(username);
  const agent = await server.browserOf(username);
  const { app, page } = await addApp(agent, 'My phone');
  return { agent, app, codes: codesOf(page) };
}

/** Logs in with the password, and resolves with the page after it. */
async function halfway(username: string, agent = new UserAgent(), typed = password) {
  return agent.submit(await agent.get(url('/account')), { username, password: typed });
}

const changed = async ({ html }: Page, agent: UserAgent) => {
  const [, path = ''] = /href="([^"]*\/account\/factor\?id=[^"]*)"/.exec(html) ?? [];
  return agent.get(new URL(path, server.baseUrl).href);
};

/** The event of an action of a person, which happened once. That codes were made beside the first factor is another one. */
async function eventOf(username: string, action: AuditEvent['action']) {
  const events = await server.service.store.auditEvents.list({ kind: 'changes', limit: 99 });
  const [event, ...others] = events.filter(
    ({ recordName, action: done, after }) =>
      recordName === username && done === action && after?.kind !== 'recovery_code',
  );
  assert.deepEqual(others, []);
  return { before: event?.before, after: event?.after };
}

describe('an app for one-time codes', () => {
  it('is added with its code, and asked for at the next login', async () => {
    using clock = stoppedClock();
    await server.addAccount('emma');
    await server.service.store.accounts.update('emma', { email: 'emma@example.org' }, Date.now());
    const agent = await server.browserOf('emma');
    const account = await agent.get(url('/account'));
    assert.match(account.html, /href="\/account\/totp"/);
    const page = await agent.get(url('/account/totp'));
    assertPageHeaders(page);
    const app = AuthenticatorApp.of(page);
    assert.equal(app.label, 'Watchword:emma');
    const wrong = await agent.submit(page, { code: '000000', name: 'My phone' });
    assert.deepEqual([wrong.status, /That code is not right/.test(wrong.text)], [400, true]);
    assert.equal(AuthenticatorApp.of(wrong).code(), app.code(), 'the key stays');
    const late = await agent.submit(wrong, { code: app.code(-20) });
    assert.match(late.text, /belongs to another time/);
    const added = await agent.submit(late, { code: app.code(), name: 'My phone' });
    assertPageHeaders(added);
    assert.equal(codesOf(added).length, 10);
    const shown = await agent.get(url('/account'));
    assert.match(shown.text, /Authenticator app My phone Added on .*Codes that are left: 10/);
    const { values } = await lastMail(server, 'new_factor', 'emma@example.org');
    assert.deepEqual(values.factor, { kind: 'totp', label: 'My phone' });
    assert.deepEqual(await eventOf('emma', 'addFactor'), {
      ...{ before: undefined, after: { kind: 'totp', name: 'My phone' } },
    });
    const browser = new UserAgent();
    const asked = await halfway('emma', browser);
    assertPageHeaders(asked);
    assert.match(asked.html, /<input[^>]*autocomplete="one-time-code"[^>]*inputmode="numeric"/);
    assert.ok(!(await isLoggedIn(browser, server)));
    const again = await browser.submit(asked, { choice: 'totp', code: app.code() });
    assert.equal(again.status, 403, 'the code that added the app is used');
    clock.advance(30);
    await browser.submit(again, { choice: 'totp', code: app.code() });
    assert.ok(await isLoggedIn(browser, server));
    const [, secret = ''] = /secret=(\w{32})/.exec(page.html) ?? [];
    assert.ok(secret !== '' && !server.log().includes(secret));
  });

  it('is asked by the clock of the server: no code of a clock that is minutes off, and none twice when it is set back', async () => {
    using clock = stoppedClock();
    const { app } = await person('lisa');
    const browser = new UserAgent();
    let page = await halfway('lisa', browser);
    for (const steps of [-6, 6]) {
      page = await browser.submit(page, { choice: 'totp', code: app.code(steps) });
      assert.match(page.text, /let your device set its clock by itself/, String(steps));
    }
    const code = app.code(1);
    await browser.submit(page, { choice: 'totp', code });
    assert.ok(await isLoggedIn(browser, server));
    // The clock of the server is set forward, and back: the phone shows what it showed before.
    for (const seconds of [300, -300]) {
      clock.advance(seconds);
      const later = new UserAgent();
      const again = await later.submit(await halfway('lisa', later), { choice: 'totp', code });
      assert.equal(again.status, 403, String(seconds));
    }
  });

  it('needs a login of the last ten minutes', async () => {
    using clock = stoppedClock();
    await server.addAccount('nora');
    const agent = await server.browserOf('nora');
    clock.advance(300);
    const page = await agent.get(url('/account/totp'));
    clock.advance(301);
    for (const login of [
      await agent.get(url('/account/totp')),
      await agent.submit(page, { code: AuthenticatorApp.of(page).code() }),
    ]) {
      assert.match(login.text, /please sign in again first/);
      assert.ok(login.forms.some(({ controls }) => controls.some(({ name }) => name === 'password')));
    }
    const there = await agent.submit(await agent.get(url('/account/totp')), { username: 'nora', password });
    assert.equal(new URL(there.location ?? there.url).pathname, '/account/totp');
  });

  it('is added once by a form that is sent twice, and gives no codes again', async () => {
    await server.addAccount('ines');
    const agent = await server.browserOf('ines');
    const page = await agent.get(url('/account/totp'));
    const code = AuthenticatorApp.of(page).code();
    assert.equal(codesOf(await agent.submit(page, { code })).length, 10);
    const twice = await agent.submit(page, { code });
    assert.equal(twice.url, url('/account?factor=added'));
    assert.equal((await server.service.store.credentials.listBySubject(await subjectOf('ines'))).length, 11);
  });
});

async function subjectOf(username: string): Promise<string> {
  const owner = { identityProvider: 'password', name: username };
  const [session] = await server.service.store.loginSessions.list({ owner, limit: 1 });
  return session?.owner.subject ?? assert.fail(`expected a session of ${username}`);
}

describe('recovery codes', () => {
  it('open the account once each, and are few at the end', async () => {
    await server.addAccount('olga');
    await server.service.store.accounts.update('olga', { email: 'olga@example.org' }, Date.now());
    const agent = await server.browserOf('olga');
    const codes = codesOf((await addApp(agent)).page);
    const file = await agent.submit(await agent.get(url('/account/recovery-codes')), {});
    const made = codesOf(file);
    assert.equal(made.length, 10);
    for (const old of codes) assert.ok(!made.includes(old));
    const browser = new UserAgent();
    const form = await browser.submit(await halfway('olga', browser), { choice: 'recovery_code' });
    const refused = await browser.submit(form, { choice: 'recovery_code', code: codes[0] ?? '' });
    assert.equal(refused.status, 403, 'new codes replace the old ones');
    await browser.submit(refused, { choice: 'recovery_code', code: made[0]?.toUpperCase() ?? '' });
    assert.ok(await isLoggedIn(browser, server));
    assert.match((await browser.get(url('/account'))).text, /Codes that are left: 9/);
    const { values } = await lastMail(server, 'recovery_code_used', 'olga@example.org');
    assert.equal(values.left, 9);
    assert.deepEqual((await eventOf('olga', 'useRecoveryCode')).after, { left: 9 });
  });

  it('come as a file too, while their page is there', async () => {
    await server.addAccount('otto');
    const agent = await server.browserOf('otto');
    const { page } = await addApp(agent);
    const file = await agent.submit(page, {});
    assert.equal(file.headers.get('content-disposition'), 'attachment; filename="recovery-codes.txt"');
    assert.match(String(file.headers.get('cache-control')), /no-store/);
    assert.deepEqual(file.html.trim().split('\n').slice(2), codesOf(page));
  });

  it('are made only beside another factor', async () => {
    await server.addAccount('paul');
    const agent = await server.browserOf('paul');
    const page = await agent.submit(await agent.get(url('/account/recovery-codes')), {});
    assert.equal(page.url, url('/account?factor=gone'));
  });
});

describe('changing a factor', () => {
  it('gives it another name', async () => {
    const { agent } = await person('rosa');
    const page = await changed(await agent.get(url('/account')), agent);
    const wrong = await agent.submit(page, { name: 'x'.repeat(51) });
    assert.match(wrong.text, /at most 50 characters/);
    const account = await agent.submit(wrong, { name: 'Old phone' });
    assert.match(account.text, /new name is saved.*Old phone/s);
    assert.deepEqual(await eventOf('rosa', 'renameFactor'), {
      ...{ before: { kind: 'totp', name: 'My phone' }, after: { kind: 'totp', name: 'Old phone' } },
    });
  });

  it('asks for the password before the last one is removed, with which the recovery codes go', async () => {
    const counted = async () => {
      const metrics = parseExposition((await server.get('/metrics')).text);
      return ['added', 'removed'].map((event) =>
        Number(seriesValue(metrics, 'watchword_factor_events_total', { kind: 'totp', event })),
      );
    };
    const [added = 0, removed = 0] = await counted();
    await server.addAccount('saul');
    await server.service.store.accounts.update('saul', { email: 'saul@example.org' }, Date.now());
    const agent = await server.browserOf('saul');
    await addApp(agent);
    const page = await changed(await agent.get(url('/account')), agent);
    assertPageHeaders(page);
    assert.match(page.text, /It is the last one: your recovery codes go with it/);
    const wrong = await agent.submit(page, { remove: 'yes', password: 'another one' });
    assert.deepEqual([wrong.status, /not your current password/.test(wrong.text)], [403, true]);
    const done = await agent.submit(wrong, { remove: 'yes', password });
    assert.match(done.text, /It is removed/);
    assert.deepEqual(await counted(), [added + 1, removed + 1]);
    assert.deepEqual(await server.service.store.credentials.listBySubject(await subjectOf('saul')), []);
    const { values } = await lastMail(server, 'factor_removed', 'saul@example.org');
    assert.deepEqual(values.factor, { kind: 'totp', label: '' });
    assert.deepEqual(await eventOf('saul', 'removeFactor'), { before: { kind: 'totp' }, after: undefined });
    assert.ok(await isLoggedIn(await server.browserOf('saul'), server));
  });

  it('keeps those that are left, without the password', async () => {
    const { agent } = await person('tara');
    await addApp(agent, 'Tablet');
    const removed = await agent.submit(await changed(await agent.get(url('/account')), agent), {
      remove: 'yes',
    });
    assert.match(removed.text, /It is removed.*Tablet.*Codes that are left: 10/s);
  });

  it('asks for the password also where all are removed at the same time', async () => {
    const { agent } = await person('tess');
    await addApp(agent, 'Tablet');
    const { html } = await agent.get(url('/account'));
    const paths = [...html.matchAll(/href="([^"]*\/account\/factor\?id=[^"]*)"/g)];
    const pages = await Promise.all(paths.map(([, path = '']) => agent.get(url(path))));
    assert.equal(pages.length, 2);
    await Promise.all(pages.map((page) => agent.submit(page, { remove: 'yes' })));
    const left = await server.service.store.credentials.listBySubject(await subjectOf('tess'));
    assert.equal(left.filter(({ kind }) => kind === 'totp').length, 1);
  });

  it('is refused to a session that has not proved a second factor, and to an old one', async () => {
    using clock = stoppedClock();
    await server.addAccount('ugo');
    const stolen = await server.browserOf('ugo');
    const agent = await server.browserOf('ugo');
    const { app } = await addApp(agent);
    const asks = async (browser: UserAgent, values: Readonly<Record<string, string>>, path?: string) => {
      const page =
        path === undefined
          ? await changed(await browser.get(url('/account')), browser)
          : await browser.get(url(path));
      return values.remove === undefined ? page : browser.submit(page, values);
    };
    for (const page of [
      await asks(stolen, { remove: 'yes', password }),
      await asks(stolen, {}, '/account/totp'),
      await asks(stolen, {}, '/account/recovery-codes'),
    ]) {
      assert.match(page.text, /please sign in again first/);
    }
    clock.advance(601);
    assert.match((await asks(agent, { remove: 'yes', password })).text, /please sign in again first/);
    const login = await asks(agent, {}, '/account/recovery-codes');
    const step = await agent.submit(login, { username: 'ugo', password });
    const there = await agent.submit(step, { choice: 'totp', code: app.code() });
    assert.equal(new URL(there.location ?? there.url).pathname, '/account/recovery-codes');
  });
});

describe('a new password', () => {
  it('keeps the session one of both factors', async () => {
    const { agent } = await person('vera');
    const page = await agent.get(url('/account/password'));
    const next = 'a new and long one';
    await agent.submit(page, { password, new_password: next, new_password_again: next });
    const owner = { identityProvider: 'password', name: 'vera' };
    const [session] = await server.service.store.loginSessions.list({ owner, limit: 1 });
    assert.deepEqual(
      [session?.authentication.level, session?.authentication.amr?.toSorted()],
      ['mfa', ['mfa', 'otp', 'pwd']],
    );
  });

  it('has 8 characters beside a second factor, which is not removed then before a longer one is chosen', async () => {
    const { agent } = await person('xena');
    const next = 'kzqvmwtj';
    const page = await agent.get(url('/account/password'));
    assert.match(page.html, /minlength="8"/);
    assert.match(page.text, /At least \W?8\W? characters/);
    const short = await agent.submit(page, {
      ...{ password, new_password: next.slice(1), new_password_again: next.slice(1) },
    });
    assert.match(short.text, /needs at least \W?8\W? characters/);
    await agent.submit(short, { password, new_password: next, new_password_again: next });
    const factor = await changed(await agent.get(url('/account')), agent);
    const kept = await agent.submit(factor, { remove: 'yes', password: next });
    assert.deepEqual([kept.status, /has fewer than 15 characters/.test(kept.text)], [400, true]);
    assert.equal((await server.service.store.credentials.listBySubject(await subjectOf('xena'))).length, 11);
  });

  it('by a mail, or by a link of an administrator, neither skips nor removes a factor', async () => {
    using clock = stoppedClock();
    const { app } = await person('will');
    const email = 'will@example.org';
    await server.service.store.accounts.update('will', { email, emailVerified: true }, Date.now());
    const browser = new UserAgent();
    const ask = await browser.get(url('/account/forgotten-password'));
    await browser.submit(ask, { identifier: email, choice: 'ask' });
    const { path } = (await lastMail(server, 'reset_password', email)).values;
    const next = 'a new and long one';
    const set = await browser.submit(await browser.get(url(path)), {
      ...{ new_password: next, new_password_again: next },
    });
    assert.match(set.text, /Your password is saved/);
    assert.ok(!(await isLoggedIn(browser, server)));
    const step = await halfway('will', browser, next);
    assert.ok(!(await isLoggedIn(browser, server)));
    clock.advance(30);
    await browser.submit(step, { choice: 'totp', code: app.code() });
    assert.ok(await isLoggedIn(browser, server));
    assert.match((await browser.get(url('/account'))).text, /Codes that are left: 10/);
  });
});
