import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AuditEvent,
  type Credential,
  identityOf,
  type LoginLevel,
  type PresentedFactor,
} from '@watchword/protocol';
import {
  FakeClock,
  flowDependencies,
  memoryStore,
  seededRandom,
  sent,
  TestBrowser,
} from '@watchword/testkit';
import { neededBy } from '../../src/factors/factor-policy.ts';
import type { SecondFactorWay } from '../../src/factors/second-factor-way.ts';
import { trustedBrowsers } from '../../src/factors/trusted-browsers.ts';
import { trustingStep } from '../../src/factors/trusting-step.ts';
import { secondFactor } from '../../src/index.ts';
import { type Answer, begin, current, day, logIn, send, unwatched } from '../support/logins.ts';

/** A way whose code is `right`. */
const way = (kind: SecondFactorWay['kind'], level: LoginLevel): SecondFactorWay => ({
  ...{ kind, level, label: kind },
  ask: async () => ({ submit: 'Go' }),
  prove: async (_, returned) =>
    returned.submission.get('code')?.[0] === 'right' ? { factor: { amr: [kind], level } } : { message: 'no' },
});

/** Logs in as whoever is named. Everybody has a second factor of the kind. */
async function server(kind: Credential['kind'] = 'totp', trustDays = 30) {
  const clock = new FakeClock();
  const store = memoryStore(clock);
  const audited: AuditEvent[] = [];
  const presented: PresentedFactor[] = [];
  const watched = {
    ...unwatched,
    instruments: { factorPresented: (factor: PresentedFactor) => void presented.push(factor) },
  };
  const strength = { classes: {}, providers: {} };
  const subjectSecret = await store.subjectKey.read();
  const trusted = trustedBrowsers({
    ...{ ...store, clock, random: seededRandom('trust'), subjectSecret, trustDays },
    audited: (event) => void audited.push(event),
  });
  const needed = neededBy({ policy: { required: 'everyone', groups: [], graceDays: 0 }, strength });
  const ways = [way('totp', 'mfa'), way('passkey', 'phr'), way('recovery_code', 'mfa')];
  const step = trustingStep(secondFactor({ ...store, ...watched, ways, needed }), {
    ...{ ...store, ...watched, trusted, needed },
  });
  const flow = await flowDependencies({
    basis: { clock, store, seed: 'flow' },
    loginSteps: [step],
    strength,
  });
  store.putClient({ ...flow.webApp, skipConsent: true });
  const add = async (name: string, of: Credential['kind'] = kind) => {
    const probe = new TestBrowser();
    const start = await flowDependencies({ basis: { clock, store, seed: name }, strength });
    start.store.putClient({ ...flow.webApp, skipConsent: true });
    await logIn(start, probe, {}, name);
    const session = await current(start, probe);
    const { owner } = session ?? assert.fail();
    await store.credentials.create(
      {
        ...{ id: `${of} of ${name}`, subject: owner.subject, owner: identityOf(owner), kind: of, name: '' },
        ...{ creationDate: 1, lastUsed: 0, counter: 0, data: '{}' },
      },
      9,
    );
    return owner;
  };
  const owner = await add('emma');
  return { ...flow, audited, presented, owner, add };
}

type Server = Awaited<ReturnType<typeof server>>;

/** The browser forgets its session, and keeps everything else. */
async function later(deps: Server, browser: TestBrowser) {
  const session = await current(deps, browser);
  if (session !== undefined) await deps.sessions.end(browser.state, { clientId: undefined, source: '' });
}

const boxOf = (page: Answer) => (page.type === 'loginStep' ? page.form.box?.name : page.type);

/** Logs in and trusts the browser. */
async function trusting(deps: Server, browser = new TestBrowser()) {
  const page = await logIn(deps, browser);
  assert.equal(boxOf(page), 'trust');
  assert.equal(sent(await send(deps, browser, page, { code: 'right', trust: 'yes' })), 'code');
  await later(deps, browser);
  return browser;
}

describe('a trusted browser', () => {
  it('needs no second factor for the days of the setting, and not a moment longer', async () => {
    const deps = await server();
    const browser = await trusting(deps);
    deps.clock.advance(30 * day - 1);
    assert.equal(sent(await logIn(deps, browser)), 'code');
    const session = await current(deps, browser);
    assert.equal(session?.authentication.level, 'mfa');
    const presented = { kind: 'trusted_browser', step: 'second_factor', outcome: 'success' };
    assert.deepEqual(deps.presented.at(-1), presented);
    await later(deps, browser);
    deps.clock.advance(1);
    assert.equal(boxOf(await logIn(deps, browser)), 'trust');
  });

  it('is trusted only where the box was ticked, after the right answer', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    const page = await logIn(deps, browser);
    const wrong = await send(deps, browser, page, { code: 'wrong', trust: 'yes' });
    assert.equal(browser.state.trusted, undefined);
    assert.equal(sent(await send(deps, browser, wrong, { code: 'right' })), 'code');
    assert.equal(browser.state.trusted, undefined);
    await later(deps, browser);
    assert.equal(boxOf(await logIn(deps, browser)), 'trust');
  });

  it('is trusted by one person, and by others who use it for themselves', async () => {
    const deps = await server();
    await deps.add('finn');
    const browser = await trusting(deps);
    const value = browser.state.trusted;
    const page = await send(deps, browser, await begin(deps, browser), { username: 'finn' });
    assert.equal(sent(await send(deps, browser, page, { code: 'right', trust: 'yes' })), 'code');
    assert.equal(browser.state.trusted, value);
    await later(deps, browser);
    assert.equal(sent(await logIn(deps, browser)), 'code');
  });

  it('is known by a value of its own alone', async () => {
    const deps = await server();
    await trusting(deps);
    const other = new TestBrowser();
    assert.equal(boxOf(await logIn(deps, other)), 'trust');
    const [, record] = await deps.store.credentials.listBySubject(deps.owner.subject);
    for (const trusted of [record?.id, JSON.parse(record?.data ?? '').digest, 'a'.repeat(43), '']) {
      other.take({ type: 'redirect', location: '', cookies: { trusted } } as Answer);
      assert.equal(boxOf(await logIn(deps, other)), 'trust', trusted);
    }
  });

  it('stands for no passkey, and for nothing where the client asks for a new login', async () => {
    const deps = await server('passkey');
    const browser = await trusting(deps);
    for (const [parameters, expected] of [
      [{ prompt: 'login' }, undefined],
      [{ max_age: '9999' }, undefined],
      [{ acr_values: 'phr' }, undefined],
      [
        {
          scope: 'openid',
          claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'phr' } } }),
        },
        undefined,
      ],
    ] as const) {
      const page = await logIn(deps, browser, parameters);
      assert.equal(page.type, 'loginStep', JSON.stringify(parameters));
      assert.equal(boxOf(page), expected, JSON.stringify(parameters));
    }
    deps.store.putClient({ ...deps.webApp, skipConsent: true, loginLevel: 'phr' });
    assert.equal((await logIn(deps, browser)).type, 'loginStep');
    deps.store.putClient({ ...deps.webApp, skipConsent: true, loginLevel: 'mfa' });
    assert.equal(sent(await logIn(deps, browser)), 'code');
  });

  it('cannot be trusted by the answer to a page that did not ask', async () => {
    const deps = await server();
    const browser = new TestBrowser();
    const fresh = await logIn(deps, browser, { prompt: 'login' });
    assert.equal(sent(await send(deps, browser, fresh, { code: 'right', trust: 'yes' })), 'code');
    assert.equal(browser.state.trusted, undefined);
    await later(deps, browser);
    await deps.add('emma', 'recovery_code');
    const page = await logIn(deps, browser);
    const recovery = await send(deps, browser, page, { choice: 'recovery_code' });
    assert.equal(boxOf(recovery), undefined);
    assert.equal(sent(await send(deps, browser, recovery, { code: 'right', trust: 'yes' })), 'code');
    assert.equal(browser.state.trusted, undefined);
  });

  it('ends with its record: by the person, by a reset, and by the end of all sessions', async () => {
    const ends: readonly ((deps: Server) => Promise<unknown>)[] = [
      async ({ store, owner: { subject } }) => {
        const [, record] = await store.credentials.listBySubject(subject);
        return store.credentials.delete(subject, record?.id ?? '');
      },
      ({ store, owner: { subject } }) => store.credentials.deleteBySubject(subject, ['trusted_browser']),
      ({ store, owner, clock }) =>
        store.transact(({ issuedTokens }) => issuedTokens.endSessions(identityOf(owner), clock.now())),
    ];
    for (const [at, end] of ends.entries()) {
      const deps = await server();
      const browser = await trusting(deps);
      assert.equal(sent(await logIn(deps, browser)), 'code');
      await later(deps, browser);
      await end(deps);
      assert.equal(boxOf(await logIn(deps, browser)), 'trust', String(at));
    }
  });

  it('has one record, which is renewed, and an audit event that says nothing of its value', async () => {
    const deps = await server();
    const browser = await trusting(deps);
    deps.clock.advance(31 * day);
    await trusting(deps, browser);
    const own = await deps.store.credentials.listBySubject(deps.owner.subject);
    assert.deepEqual(
      own.map(({ kind }) => kind),
      ['totp', 'trusted_browser'],
    );
    assert.equal(own[1]?.creationDate, deps.clock.now());
    assert.deepEqual(
      deps.audited.map(({ action, after }) => [action, after?.kind]),
      [
        ['addFactor', 'trusted_browser'],
        ['addFactor', 'trusted_browser'],
      ],
    );
    assert.ok(!JSON.stringify([own, deps.audited]).includes(browser.state.trusted ?? ''));
  });

  it('is one of 20 at most: a new one takes the place of the oldest', async () => {
    const deps = await server();
    for (let count = 0; count < 21; count += 1) {
      deps.clock.advance(1000);
      await trusting(deps);
    }
    const own = await deps.store.credentials.listBySubject(deps.owner.subject);
    assert.equal(own.filter(({ kind }) => kind === 'trusted_browser').length, 20);
  });

  it('is no second factor', async () => {
    const deps = await server();
    const browser = await trusting(deps);
    await deps.store.credentials.deleteBySubject(deps.owner.subject, ['totp']);
    assert.equal(sent(await logIn(deps, browser)), 'code');
    const session = await current(deps, browser);
    assert.equal(session?.authentication.level, undefined);
  });
});
