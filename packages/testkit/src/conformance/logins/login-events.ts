import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AttemptCount, AttemptRule, AuditEvent, LoginAttemptStore } from '@watchword/protocol';
import { tokenFactory } from '../../builders/access-token.ts';
import { auditEventFactory } from '../../builders/audit-event.ts';
import { grantFactory } from '../../builders/grant.ts';
import { sessionFactory } from '../../builders/login-session.ts';
import { start } from '../grants/granted.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';

const at = Date.UTC(2026, 0, 1);

function count(failures: number, expires = at + 60_000): AttemptCount {
  return { failures, at, expires };
}

/** Increments the count of every key; returns the counts before. */
const oneMore: AttemptRule<number[]> = (counts) => {
  const failures = counts.map((found) => found?.failures ?? 0);
  return { answer: failures, counts: failures.map((before) => count(before + 1)) };
};

function read(store: LoginAttemptStore, ...keys: string[]): Promise<readonly (AttemptCount | undefined)[]> {
  return store.change(keys, (counts) => ({ answer: counts, counts }));
}

export function loginAttemptRules(openStore: OpenStore): void {
  it(
    'keeps a count, and only under its key',
    withStore(openStore, async ({ loginAttempts }) => {
      const [whole, fraction] = [count(3), count(0.123456789, at + 1)];
      await loginAttempts.change(['a', 'b'], () => ({ answer: undefined, counts: [whole, fraction] }));
      assert.deepEqual(await read(loginAttempts, 'b', 'c', 'a'), [fraction, undefined, whole]);
    }),
  );

  it(
    'removes a count when the rule returns none',
    withStore(openStore, async ({ loginAttempts }) => {
      await loginAttempts.change(['a', 'b'], oneMore);
      await loginAttempts.change(['a', 'b'], ([, b]) => ({ answer: undefined, counts: [undefined, b] }));
      assert.deepEqual(await read(loginAttempts, 'a', 'b'), [undefined, count(1)]);
    }),
  );

  it(
    'applies concurrent changes one after another, under one key and under several',
    withStore(openStore, async ({ loginAttempts }) => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => loginAttempts.change([`own ${index % 5}`, 'all'], oneMore)),
      );
      const seen = answers.map(([, all]) => all ?? -1).toSorted((a, b) => a - b);
      assert.deepEqual(
        seen,
        Array.from({ length: 50 }, (_, index) => index),
      );
      const left = await read(
        loginAttempts,
        'all',
        ...Array.from({ length: 5 }, (_, index) => `own ${index}`),
      );
      assert.deepEqual(
        left.map((found) => found?.failures),
        [50, 10, 10, 10, 10, 10],
      );
    }),
  );

  it(
    'changes nothing when a rule throws, and fails only its own caller',
    withStore(openStore, async ({ loginAttempts }) => {
      const fails = () => {
        throw new Error('no');
      };
      const [failed, counted] = await Promise.allSettled([
        loginAttempts.change(['a'], fails),
        loginAttempts.change(['a'], oneMore),
      ]);
      assert.equal(failed.status, 'rejected');
      assert.equal(counted.status, 'fulfilled');
      assert.deepEqual(await read(loginAttempts, 'a'), [count(1)]);
    }),
  );
}

const owner = { identityProvider: 'https://idp.example/ä', name: `it's "ü✓` };

/** Audit events of actions of a user, who is both actor and owner. */
function eventFactory() {
  const make = auditEventFactory('logins');
  return (overrides: Partial<AuditEvent>): AuditEvent => {
    const person = overrides.owner ?? owner;
    return make({
      action: 'login',
      before: undefined,
      after: undefined,
      ...overrides,
      owner: person,
      actor: person,
    });
  };
}

const idsOf = async (
  { auditEvents }: StoreUnderTest,
  query: Partial<Parameters<typeof auditEvents.list>[0]> = {},
) => (await auditEvents.list({ limit: 100, ...query })).map(({ id }) => id);

export function loginEventRules(openStore: OpenStore): void {
  it(
    'returns the event of a session, a grant and a withdrawal as it was stored',
    withStore(openStore, async (store) => {
      const event = eventFactory();
      const [session, grants] = [sessionFactory()(), grantFactory()];
      const [coded, implicit] = [grants.grant(), grants.grant()];
      const of = (time: number, more: Partial<AuditEvent>) => event({ time: start + time, ...more });
      const expected = [
        of(1, { recordType: 'loginSession', recordId: session.id, recordName: owner.name, clientId: 'a' }),
        of(2, { action: 'grant', recordType: 'grant', recordId: coded.id, after: { scopes: ['read'] } }),
        of(3, { action: 'grant', recordType: 'grant', recordId: implicit.id, source: '' }),
        of(4, { action: 'withdraw', clientId: undefined }),
        of(5, { action: 'logout', after: { endedBy: 'login' } }),
      ] as const;
      const [login, code, token, withdrawal, logout] = expected;
      await store.loginSessions.insert(session, login);
      await store.authorizationCodes.insert(grants.code(coded), coded, { event: code });
      await store.grants.insert(implicit, tokenFactory()({ grantId: implicit.id }), { event: token });
      await store.grants.withdraw(
        coded.owner.subject,
        [{ clientRecordId: coded.clientRecordId, event: withdrawal }],
        start,
      );
      await store.loginSessions.delete(session.id, { now: start, event: logout });
      assert.deepEqual(await store.auditEvents.list({ kind: 'logins', limit: 10 }), expected.toReversed());
    }),
  );

  it(
    'stores no event for an action that failed',
    withStore(openStore, async (store) => {
      const event = eventFactory();
      await store.loginSessions.delete(sessionFactory()().id, {
        now: start,
        event: event({ action: 'logout' }),
      });
      await store.grants.withdraw(
        'subject',
        [{ clientRecordId: 7, event: event({ action: 'withdraw' }) }],
        start,
      );
      assert.deepEqual(await idsOf(store), []);
    }),
  );

  it(
    'lists changes and logins together or separately, the newest first, page by page',
    withStore(openStore, async (store) => {
      const [event, change, session] = [eventFactory(), auditEventFactory(), sessionFactory()];
      const all: AuditEvent[] = [];
      for (let index = 0; index < 20; index += 1) {
        const isLogin = index % 3 === 0;
        const made = (isLogin ? event : change)({ time: start + index, owner });
        all.unshift(made);
        if (isLogin) await store.loginSessions.insert(session(), made);
        else await store.auditEvents.append([made]);
      }
      const ids = (kind?: 'login' | 'update') =>
        all.filter(({ action }) => kind === undefined || action === kind).map(({ id }) => id);
      assert.deepEqual(await idsOf(store), ids());
      assert.deepEqual(await idsOf(store, { kind: 'logins' }), ids('login'));
      assert.deepEqual(await idsOf(store, { kind: 'changes' }), ids('update'));
      const paged: string[] = [];
      for (;;) {
        const before = paged.at(-1);
        const page = await idsOf(store, { limit: 7, owner, ...(before !== undefined && { before }) });
        paged.push(...page);
        if (page.length < 7) break;
      }
      assert.deepEqual(paged, ids());
    }),
  );

  it(
    'lists for a user only their own logins, by exact identity provider and name',
    withStore(openStore, async (store) => {
      const [event, session] = [eventFactory(), sessionFactory()];
      const own = event({});
      await store.loginSessions.insert(session(), own);
      for (const other of [
        { ...owner, name: 'x' },
        { ...owner, identityProvider: 'password' },
      ]) {
        await store.loginSessions.insert(session(), event({ owner: other }));
      }
      assert.deepEqual(await idsOf(store, { owner }), [own.id]);
    }),
  );

  it(
    'knows when each of many users last logged in, by identity provider and since a time',
    withStore(openStore, async (store) => {
      const [event, session] = [eventFactory(), sessionFactory()];
      const add = async (name: string, time: number, identityProvider = owner.identityProvider) => {
        const made = event({ time: start + time, owner: { identityProvider, name } });
        await store.loginSessions.insert(session(), made);
      };
      for (const [name, time] of [
        ['emma', 10],
        ['emma', 30],
        ['emma', 20],
        ['finn', 12],
        ['gwen', 9],
        ['noah', 15],
      ] as const) {
        await add(name, time);
      }
      await add('emma', 99, 'password');
      const ended = session();
      await store.loginSessions.insert(ended, event({ time: start + 1 }));
      const logout = event({ time: start + 50, owner: { ...owner, name: 'finn' }, action: 'logout' });
      await store.loginSessions.delete(ended.id, { now: start, event: logout });
      const names = [...Array.from({ length: 500 }, (_, index) => `user ${index}`), 'emma', 'finn', 'gwen'];
      const { identityProvider } = owner;
      const found = await store.auditEvents.lastLogins({ identityProvider, names, since: start + 10 });
      assert.deepEqual([...found].toSorted(), [
        ['emma', start + 30],
        ['finn', start + 12],
      ]);
    }),
  );
}
