import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoginLevel } from '@watchword/protocol';
import { sent, submission, TestBrowser } from '@watchword/testkit';
import {
  choicesOf,
  codeOn,
  formOf,
  kindsOf,
  enrolmentServer as server,
  titleOf,
} from '../support/enrolment.ts';
import { begin, current, day, logIn, send } from '../support/logins.ts';

describe('somebody who must have a second factor and has none', () => {
  it('adds one right after the first factor, gets recovery codes, and is logged in after them', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    const page = await logIn(deps, browser);
    assert.deepEqual([titleOf(page), choicesOf(page)], ['factor.addTitle', ['totp']]);
    const wrong = await send(deps, browser, page, { code: '000000' });
    assert.equal(formOf(wrong).status, 403);
    assert.equal(formOf(wrong).totp?.secret, formOf(page).totp?.secret);
    assert.equal(await current(deps, browser), undefined);
    const codes = await send(deps, browser, wrong, { code: codeOn(wrong, deps) });
    assert.equal(formOf(codes).codes?.length, 10);
    assert.equal(await current(deps, browser), undefined);
    assert.equal(sent(await send(deps, browser, codes, { choice: 'go' })), 'code');
    const { authentication } = (await current(deps, browser)) ?? assert.fail();
    assert.deepEqual([authentication.level, authentication.amr], ['mfa', ['otp', 'mfa']]);
    assert.deepEqual(await kindsOf(deps, browser, deps), ['recovery_code', 'totp']);
    assert.equal(titleOf(await logIn(deps, new TestBrowser())), 'factor.title');
  });

  it('cannot pass without one, whatever the page sends', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    let page = await logIn(deps, browser);
    for (const fields of [{}, { choice: 'later' }, { choice: 'go' }, { choice: 'passkey' }, { code: '' }]) {
      page = await send(deps, browser, page, fields as Record<string, string>);
      assert.equal(titleOf(page), 'factor.addTitle', JSON.stringify(fields));
      assert.equal(await current(deps, browser), undefined);
    }
  });

  it('can put it off for the days of grace, which begin once and end', async () => {
    const deps = await server({ graceDays: 7 });
    const later = async () => {
      const browser = new TestBrowser();
      const page = await logIn(deps, browser);
      return choicesOf(page).includes('later')
        ? sent(await send(deps, browser, page, { choice: 'later' }))
        : '';
    };
    assert.equal(await later(), 'code');
    deps.clock.advance(7 * day - 1);
    assert.equal(await later(), 'code');
    deps.clock.advance(1);
    assert.equal(await later(), '');
    const browser = new TestBrowser();
    const page = await send(deps, browser, await logIn(deps, browser), { choice: 'later' });
    assert.equal(titleOf(page), 'factor.addTitle');
  });

  it('is not asked in a session that goes on, in which anybody can be', async () => {
    const deps = await server({ graceDays: 7 });
    const browser = new TestBrowser();
    await send(deps, browser, await logIn(deps, browser), { choice: 'later' });
    assert.equal(sent(await begin(deps, browser)), 'code');
  });

  it('gives a client nothing that demands one, where they do not add it', async () => {
    const deps = await server({ required: 'none' }, { loginLevel: 'mfa' });
    const browser = new TestBrowser();
    const page = await logIn(deps, browser);
    assert.deepEqual(choicesOf(page), ['totp', 'later']);
    const answer = await send(deps, browser, page, { choice: 'later' });
    assert.equal(sent(answer), 'unmet_authentication_requirements');
    // In the session the client still gets nothing: a new login comes first.
    assert.equal((await begin(deps, browser)).type, 'login');
    const again = await logIn(deps, browser);
    const codes = await send(deps, browser, again, { code: codeOn(again, deps) });
    assert.equal(sent(await send(deps, browser, codes, { choice: 'go' })), 'code');
  });

  it('gets an error at once for what no factor here reaches', async () => {
    const deps = await server({ required: 'none' }, { loginLevel: 'phr' });
    assert.equal(sent(await logIn(deps, new TestBrowser())), 'unmet_authentication_requirements');
  });
});

describe('an attacker who knows the password', () => {
  /** The page on which an attacker could add a factor, before the owner has one. */
  async function attacked() {
    const deps = await server();
    const [attacker, owner] = [new TestBrowser(), new TestBrowser()];
    const page = await logIn(deps, attacker);
    const own = await logIn(deps, owner);
    return { deps, attacker, owner, page, own };
  }

  it('adds no factor once the owner has one, with a page from before, and must prove that one', async () => {
    const { deps, attacker, owner, page, own } = await attacked();
    const codes = await send(deps, owner, own, { code: codeOn(own, deps) });
    await send(deps, owner, codes, { choice: 'go' });
    const before = await kindsOf(deps, owner, deps);
    const answer = await send(deps, attacker, page, { code: codeOn(page, deps) });
    assert.equal(answer.type, 'login');
    assert.equal(titleOf(await send(deps, attacker, answer, { username: 'emma' })), 'factor.title');
    assert.equal(await current(deps, attacker), undefined);
    assert.deepEqual(await kindsOf(deps, owner, deps), before);
  });

  it('adds no second one at the same moment', async () => {
    const { deps, attacker, owner, page, own } = await attacked();
    const [first, second] = await Promise.all([
      send(deps, owner, own, { code: codeOn(own, deps) }),
      send(deps, attacker, page, { code: codeOn(page, deps) }),
    ]);
    assert.deepEqual([first.type, second.type].toSorted(), ['login', 'loginStep']);
    const all = [...(await deps.store.loginSessions.list({ limit: 9 }))];
    const subject = all[0]?.owner.subject ?? assert.fail();
    const kinds = (await deps.store.credentials.listBySubject(subject)).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === 'totp').length, 1);
  });

  it('does not carry the page to another browser, and not to the login of somebody else', async () => {
    const { deps, page } = await attacked();
    assert.ok(page.type === 'loginStep');
    const victim = new TestBrowser();
    await logIn(deps, victim);
    const stolen = submission({ auth_state: page.authState, code: codeOn(page, deps) });
    await assert.rejects(deps.authorization.loginStep(stolen, victim.state));
  });

  it('reaches no page to add a factor where the owner has one, whoever asks for more', async () => {
    const level: LoginLevel = 'mfa';
    const deps = await server({ required: 'none' }, { loginLevel: level });
    const owner = new TestBrowser();
    const own = await logIn(deps, owner);
    await send(deps, owner, await send(deps, owner, own, { code: codeOn(own, deps) }), { choice: 'go' });
    for (const parameters of [{}, { acr_values: 'phr' }, { prompt: 'login' }] as Record<string, string>[]) {
      const attacker = new TestBrowser();
      const page = await logIn(deps, attacker, parameters);
      assert.deepEqual([titleOf(page), formOf(page).totp], ['factor.title', undefined]);
      const answer = await send(deps, attacker, page, { choice: 'later' });
      assert.equal(titleOf(answer), 'factor.title');
    }
  });
});
