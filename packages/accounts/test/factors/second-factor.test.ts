import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Credential, identityOf, type LoginSession, type Mail } from '@watchword/protocol';
import {
  buildAccount,
  FakeClock,
  flowDependencies,
  memoryStore,
  seededRandom,
  sent,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { totpData } from '../../src/factors/factor-secrets.ts';
import { newRecoveryCodes, recoveryData } from '../../src/factors/recovery-codes.ts';
import { newTotpSecret, totpCode, totpStep } from '../../src/factors/totp.ts';
import { recoveryWay, secondFactor, totpWay } from '../../src/index.ts';
import { type Answer, begin, current, logIn, secrets, send } from '../support/logins.ts';

/** Counts attempts, and lets them wait for `wait` milliseconds. */
function countedAttempts() {
  const calls: string[] = [];
  const note = (call: string) => async () => void calls.push(call);
  const attempts = {
    ...{ calls, wait: 0, remember: () => 'known device', turn: () => ({ of: '', isKnownDevice: false }) },
    ...{ succeed: note('succeed'), withdraw: note('withdraw') },
    async begin() {
      calls.push('begin');
      return attempts.wait;
    },
  };
  return attempts;
}

/** Logs in as whoever is named, and asks those who have a second factor for it. */
async function server() {
  const clock = new FakeClock();
  const store = memoryStore(clock);
  const attempts = countedAttempts();
  const failures: string[] = [];
  const presented: string[] = [];
  const mails: Mail[] = [];
  const random = seededRandom('factors');
  const mail = { send: async (mail: Mail) => void mails.push(mail) };
  const subjectSecret = await store.subjectKey.read();
  const ofRecovery = { ...store, clock, random, subjectSecret, mail };
  const recovery = recoveryWay(ofRecovery, attempts);
  let reads = 0;
  const step = secondFactor({
    credentials: {
      listBySubject(subject) {
        reads += 1;
        return store.credentials.listBySubject(subject);
      },
    },
    securityLog: {
      loginFailed: ({ reason, account }) => void failures.push(`${reason} ${account?.name}`),
      tokenRequestFailed: () => assert.fail('expected no token request'),
    },
    instruments: {
      factorPresented: ({ kind, step, outcome }) => void presented.push(`${step} ${kind} ${outcome}`),
    },
    ways: [totpWay({ ...store, clock, secrets }, attempts), recovery],
  });
  const flow = await flowDependencies({ basis: { clock, store, seed: 'flow' }, loginSteps: [step] });
  store.putClient({ ...flow.webApp, skipConsent: true });
  return { ...flow, attempts, failures, presented, mails, random, recovery, reads: () => reads };
}

type Server = Awaited<ReturnType<typeof server>>;

/** The session of a login without a second factor. */
async function sessionOf(deps: Server, username = 'emma'): Promise<LoginSession> {
  const browser = new TestBrowser();
  await logIn(deps, browser, {}, username);
  return (await current(deps, browser)) ?? assert.fail('expected a session');
}

async function add(deps: Server, { owner }: LoginSession, more: Partial<Credential>) {
  const id = `${more.kind} ${(await deps.store.credentials.listBySubject(owner.subject)).length}`;
  const credential: Credential = {
    ...{ id, subject: owner.subject, owner: identityOf(owner), kind: 'totp', name: '', counter: 0 },
    ...{ creationDate: deps.clock.now(), lastUsed: 0, data: '{}' },
    ...more,
  };
  assert.ok(await deps.store.credentials.create(credential, 99));
  return credential;
}

/** Gives a person an app. @returns its code, so many steps from now */
async function addTotp(deps: Server, session: LoginSession) {
  const secret = newTotpSecret(deps.random);
  const of = { id: 'totp', subject: session.owner.subject };
  await add(deps, session, { ...of, kind: 'totp', data: await totpData(of, secret, secrets) });
  return (steps = 0) => totpCode(secret, totpStep(deps.clock.now()) + steps);
}

async function addRecoveryCodes(deps: Server, session: LoginSession) {
  const codes = newRecoveryCodes(deps.random);
  for (const code of codes) await add(deps, session, { kind: 'recovery_code', data: recoveryData(code) });
  return codes;
}

function pageOf(answer: Answer) {
  assert.ok(answer.type === 'loginStep', answer.type);
  const { form } = answer;
  const message = typeof form.message === 'object' ? form.message.key : form.message;
  return {
    ...{ status: form.status ?? 200, message, field: form.fields?.[0]?.autocomplete },
    choices: form.choices.map(({ value }) => value),
  };
}

describe('the step "second factor"', () => {
  it('asks nobody who has none, nor who has recovery codes alone', async () => {
    const deps = await server();
    const session = await sessionOf(deps);
    await addRecoveryCodes(deps, session);
    assert.equal(sent(await logIn(deps, new TestBrowser())), 'code');
  });

  it('asks whoever has one after the first factor, and logs nobody in before', async () => {
    const deps = await server();
    const code = await addTotp(deps, await sessionOf(deps));
    const browser = new TestBrowser();
    const page = await logIn(deps, browser);
    assert.deepEqual(pageOf(page), {
      ...{ status: 200, message: undefined, field: 'one-time-code', choices: ['totp'] },
    });
    assert.equal(await current(deps, browser), undefined);
    assert.equal(sent(await send(deps, browser, page, { choice: 'totp', code: code() })), 'code');
    const { authentication } = (await current(deps, browser)) ?? assert.fail('expected a session');
    assert.deepEqual([authentication.level, authentication.amr?.toSorted()], ['mfa', ['mfa', 'otp']]);
    assert.equal(browser.state.device, 'known device');
    assert.equal(sent(await logIn(deps, new TestBrowser(), {}, 'finn')), 'code');
  });

  it('refuses a wrong code, counts it, and tells the security log', async () => {
    const deps = await server();
    const code = await addTotp(deps, await sessionOf(deps));
    const browser = new TestBrowser();
    deps.attempts.calls.length = 0;
    let page = await logIn(deps, browser);
    for (const wrong of ['', '000000', code(2), code(-2)]) {
      page = await send(deps, browser, page, { choice: 'totp', code: wrong });
      assert.deepEqual(pageOf(page), {
        ...{ status: 403, message: 'factor.wrongCode', field: 'one-time-code', choices: ['totp'] },
      });
    }
    assert.deepEqual(deps.attempts.calls, Array(4).fill('begin'));
    assert.deepEqual(deps.failures, Array(4).fill('factor.wrongCode emma'));
    deps.attempts.wait = 5_000;
    page = await send(deps, browser, page, { choice: 'totp', code: code() });
    assert.deepEqual([pageOf(page).status, pageOf(page).message], [429, 'login.wait']);
    assert.equal(deps.failures.at(-1), 'login.wait emma');
    deps.attempts.wait = 0;
    assert.equal(sent(await send(deps, browser, page, { choice: 'totp', code: code() })), 'code');
    const outcomes = [...Array(4).fill('failure'), 'limited', 'success'];
    assert.deepEqual(
      deps.presented,
      outcomes.map((outcome) => `second_factor totp ${outcome}`),
    );
  });

  it('accepts the codes of one time step once, in order, of many logins at once', async () => {
    const deps = await server();
    const code = await addTotp(deps, await sessionOf(deps));
    const one = async (typed: string) => {
      const browser = new TestBrowser();
      const page = await logIn(deps, browser);
      return sent(await send(deps, browser, page, { choice: 'totp', code: typed }));
    };
    const typed = code();
    const answers = await Promise.all(Array.from({ length: 5 }, () => one(typed)));
    assert.deepEqual(answers.toSorted(), ['code', ...Array(4).fill('loginStep')]);
    assert.equal(await one(code(-1)), 'loginStep', 'an earlier step');
    assert.equal(await one(code(1)), 'code', 'the next step');
  });

  it('does not open the secret of another row', async () => {
    const deps = await server();
    const [emma, finn] = [await sessionOf(deps), await sessionOf(deps, 'finn')];
    const code = await addTotp(deps, emma);
    const [stored] = await deps.store.credentials.listBySubject(emma.owner.subject);
    await add(deps, finn, { kind: 'totp', data: stored?.data ?? assert.fail('expected a row') });
    const browser = new TestBrowser();
    const page = await logIn(deps, browser, {}, 'finn');
    const answer = await send(deps, browser, page, { choice: 'totp', code: code() });
    assert.equal(pageOf(answer).message, 'factor.lostApp');
  });

  it('leads to the other ways, and accepts a recovery code once, of many logins at once', async () => {
    const deps = await server();
    const session = await sessionOf(deps);
    await addTotp(deps, session);
    const [first = ''] = await addRecoveryCodes(deps, session);
    const one = async () => {
      const browser = new TestBrowser();
      const page = await logIn(deps, browser);
      assert.deepEqual(pageOf(page).choices, ['totp', 'recovery_code']);
      const other = await send(deps, browser, page, { choice: 'recovery_code', code: '' });
      assert.deepEqual(pageOf(other), {
        ...{ status: 200, message: undefined, field: 'off', choices: ['recovery_code', 'totp'] },
      });
      const answer = await send(deps, browser, other, { choice: 'recovery_code', code: first });
      const login = (await current(deps, browser))?.authentication;
      return `${sent(answer)} ${login?.level ?? pageOf(answer).message}`;
    };
    const answers = await Promise.all(Array.from({ length: 4 }, one));
    const wrong = 'loginStep factor.wrongRecoveryCode';
    assert.deepEqual(answers.toSorted(), ['code mfa', wrong, wrong, wrong]);
    assert.equal((await deps.store.credentials.listBySubject(session.owner.subject)).length, 10);
    const [event] = await deps.store.auditEvents.list({ kind: 'changes', limit: 9 });
    assert.deepEqual(
      [event?.action, event?.recordType, event?.recordName, event?.after],
      ['useRecoveryCode', 'resourceOwner', 'emma', { left: 9 }],
    );
    assert.deepEqual(deps.mails, [], 'the person has no account here');
  });

  it('reads nothing for requests in the session of a login, with a second factor or without', async () => {
    const deps = await server();
    const emma = await sessionOf(deps);
    const browsers = [new TestBrowser(), new TestBrowser()] as const;
    await logIn(deps, browsers[0], {}, 'finn');
    const code = await addTotp(deps, emma);
    const page = await logIn(deps, browsers[1]);
    await send(deps, browsers[1], page, { choice: 'totp', code: code() });
    const before = deps.reads();
    for (const browser of browsers) assert.equal(sent(await begin(deps, browser)), 'code');
    assert.equal(deps.reads(), before);
  });

  it('asks again for both factors when a client demands a new login', async () => {
    const deps = await server();
    const code = await addTotp(deps, await sessionOf(deps));
    const browser = new TestBrowser();
    await send(deps, browser, await logIn(deps, browser), { choice: 'totp', code: code() });
    const login = await begin(deps, browser, { prompt: 'login' });
    const page = await send(deps, browser, login, { username: 'emma' });
    assert.equal(pageOf(page).field, 'one-time-code');
    assert.equal(sent(await send(deps, browser, page, { choice: 'totp', code: code(1) })), 'code');
  });

  it('begins again with what is left where the factor of the page was removed meanwhile', async () => {
    const deps = await server();
    const session = await sessionOf(deps);
    const code = await addTotp(deps, session);
    const browser = new TestBrowser();
    const page = await logIn(deps, browser);
    await deps.store.credentials.deleteBySubject(session.owner.subject);
    assert.equal(sent(await send(deps, browser, page, { choice: 'totp', code: code() })), 'code');
    assert.equal((await current(deps, browser))?.authentication.level, undefined);
  });

  it('begins a login again whose access has ended meanwhile, whatever the code is', async () => {
    const deps = await server();
    const session = await sessionOf(deps);
    const code = await addTotp(deps, session);
    const browser = new TestBrowser();
    const page = await logIn(deps, browser);
    await deps.store.accounts.forget(identityOf(session.owner), deps.clock.now());
    const answer = await send(deps, browser, page, { choice: 'totp', code: code() });
    assert.deepEqual([answer.type, answer.again], ['login', 'interrupted']);
    assert.equal(await current(deps, browser), undefined);
  });
});

it('tells the owner of a local account of a used recovery code', async () => {
  const deps = await server();
  await deps.store.accounts.create(buildAccount({ username: 'emma', email: 'emma@example.org' }));
  const session = await sessionOf(deps);
  const login = { ...session, owner: { ...session.owner, identityProvider: 'password' } };
  const [code = ''] = await addRecoveryCodes(deps, login);
  const interaction = { browser: new TestBrowser().state, cookies: {}, request: undefined };
  const own = await deps.store.credentials.listBySubject(login.owner.subject);
  await deps.recovery.prove(
    { login, interaction, own },
    { submission: submission({ code }), state: undefined },
  );
  const values = { name: 'emma', left: 9, time: deps.clock.now() };
  assert.deepEqual(deps.mails, [
    { kind: 'recovery_code_used', to: 'emma@example.org', language: undefined, values },
  ]);
});
