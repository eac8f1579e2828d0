import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FlowDependencies, sent, TestBrowser } from '@watchword/testkit';
import { Authenticator, type Forgery } from '@watchword/testkit/authenticator';
import {
  choicesOf,
  codeOn,
  enrolmentServer,
  formOf,
  kindsOf,
  relyingParty,
  titleOf,
} from '../support/enrolment.ts';
import { type Answer, current, logIn, send } from '../support/logins.ts';

type Options = Parameters<Authenticator['create']>[0];

/** A server whose client demands a passkey. */
const server = (loginLevel: 'mfa' | 'phr' = 'phr') =>
  enrolmentServer({ required: 'none' }, { loginLevel }, true);

const madeFor = (page: Answer, authenticator = new Authenticator(), forgery?: Forgery) => ({
  passkey: authenticator.create(
    formOf(page).passkey?.options as unknown as Options,
    relyingParty.origin,
    forgery,
  ),
});

const messageOf = (page: Answer) => {
  const { message } = formOf(page);
  return typeof message === 'object' ? message.key : message;
};

const credentialsOf = async (deps: FlowDependencies) => {
  const [session] = await deps.store.loginSessions.list({ limit: 1 });
  return deps.store.credentials.listBySubject(session?.owner.subject ?? assert.fail());
};

describe('somebody without a passkey, of whom a client demands one', () => {
  it('adds one right after the first factor, gets recovery codes, and is logged in by both', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    const page = await logIn(deps, browser);
    assert.deepEqual([titleOf(page), choicesOf(page)], ['factor.addTitle', ['passkey', 'later']]);
    const codes = await send(deps, browser, page, madeFor(page));
    assert.equal(formOf(codes).codes?.length, 10);
    assert.equal(await current(deps, browser), undefined);
    assert.equal(sent(await send(deps, browser, codes, { choice: 'go' })), 'code');
    const { authentication } = (await current(deps, browser)) ?? assert.fail();
    assert.deepEqual([authentication.level, authentication.amr], ['phr', ['hwk', 'user', 'mfa']]);
    assert.deepEqual(await kindsOf(deps, browser, deps), ['passkey', 'recovery_code']);
    const next = await logIn(deps, new TestBrowser());
    assert.deepEqual([titleOf(next), choicesOf(next)], ['factor.title', ['passkey']]);
  });

  it('chooses between it and an app where that is enough, and is told without a script', async () => {
    const deps = await server('mfa');
    const browser = new TestBrowser();
    const choice = await logIn(deps, browser);
    assert.deepEqual(choicesOf(choice), ['passkey', 'totp', 'later']);
    const page = await send(deps, browser, choice, { choice: 'passkey' });
    assert.equal(messageOf(page), undefined);
    const told = await send(deps, browser, page, { choice: 'passkey', passkey: '' });
    assert.deepEqual([messageOf(told), choicesOf(told)], ['passkey.script', ['passkey', 'totp', 'later']]);
    const app = await send(deps, browser, told, { choice: 'totp' });
    const codes = await send(deps, browser, app, { choice: 'totp', code: codeOn(app, deps) });
    assert.equal(sent(await send(deps, browser, codes, { choice: 'go' })), 'code');
  });

  it('proves the app first that they have', async () => {
    const deps = await server('mfa');
    const browser = new TestBrowser();
    const app = await send(deps, browser, await logIn(deps, browser), { choice: 'totp' });
    await send(deps, browser, app, { code: codeOn(app, deps) });
    deps.store.putClient({ ...deps.webApp, skipConsent: true, loginLevel: 'phr' });
    const asked = await logIn(deps, new TestBrowser());
    assert.deepEqual([titleOf(asked), formOf(asked).passkey], ['factor.title', undefined]);
  });
});

describe('an attacker in a login that waits for a new passkey', () => {
  it('adds none with an answer that is forged, for another login, or sent twice', async () => {
    const deps = await server();
    const [attacker, owner] = [new TestBrowser(), new TestBrowser()];
    const page = await logIn(deps, attacker);
    const own = await logIn(deps, owner);
    const evil = { clientData: { origin: 'https://evil.example' } };
    const forged = await send(deps, attacker, page, madeFor(page, new Authenticator(), evil));
    assert.equal(messageOf(forged), 'passkey.refused');
    const replayed = await send(deps, attacker, page, madeFor(page));
    assert.equal(messageOf(replayed), 'passkey.late');
    const foreign = await send(deps, attacker, replayed, madeFor(own));
    assert.equal(messageOf(foreign), 'passkey.refused');
    const get = { clientData: { type: 'webauthn.get' } };
    const other = await send(deps, attacker, foreign, madeFor(foreign, new Authenticator(), get));
    assert.equal(messageOf(other), 'passkey.refused');
    deps.clock.advance(300_000);
    assert.equal(messageOf(await send(deps, attacker, other, madeFor(other))), 'passkey.late');
    assert.deepEqual(await credentialsOf(deps), []);
    assert.equal(await current(deps, attacker), undefined);
  });

  it('adds none once the owner has one, and none at the same moment', async () => {
    const deps = await server();
    const [attacker, owner] = [new TestBrowser(), new TestBrowser()];
    const page = await logIn(deps, attacker);
    const own = await logIn(deps, owner);
    const before = await logIn(deps, attacker);
    const answers = await Promise.all([
      send(deps, owner, own, madeFor(own)),
      send(deps, attacker, before, madeFor(before)),
    ]);
    assert.deepEqual(answers.map(({ type }) => type).toSorted(), ['login', 'loginStep']);
    assert.equal((await send(deps, attacker, page, madeFor(page))).type, 'login');
    const kinds = (await credentialsOf(deps)).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === 'passkey').length, 1);
  });

  it('never reaches the page where the owner has a factor that was not proved', async () => {
    const deps = await server();
    const owner = new TestBrowser();
    const own = await logIn(deps, owner);
    await send(deps, owner, own, madeFor(own));
    for (const parameters of [{}, { acr_values: 'phr' }, { prompt: 'login' }] as Record<string, string>[]) {
      const attacker = new TestBrowser();
      const page = await logIn(deps, attacker, parameters);
      const answer = await send(deps, attacker, page, madeFor(own));
      assert.deepEqual([titleOf(page), titleOf(answer)], ['factor.title', 'factor.title']);
    }
    assert.equal((await credentialsOf(deps)).filter(({ kind }) => kind === 'passkey').length, 1);
  });
});
