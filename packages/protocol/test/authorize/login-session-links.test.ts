import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildResourceOwner,
  FakeClock,
  FakeIdentityProviders,
  memoryStore,
  seededRandom,
} from '@watchword/testkit';
import { LoginSessions } from '../../src/index.ts';

const { principal } = buildResourceOwner('emma');
const binding = 'of the browser';
const stranger = { binding, session: undefined };
const coming = { clientId: 'web-app', clientName: 'Web app', source: '192.0.2.7' };
const link = (data: string) => ({ key: 'emma there', data });

function deps() {
  const store = memoryStore();
  const clock = new FakeClock();
  const identityProviders = new FakeIdentityProviders();
  const lifetimes = { sessionIdleLifetime: 1000, sessionLifetime: 5000 };
  const subjectSecret = Buffer.alloc(32);
  const strength = { classes: {}, providers: {} };
  const random = seededRandom();
  const parts = { ...store, ...lifetimes, subjectSecret, clock, random, strength, identityProviders };
  const sessions = new LoginSessions(parts);
  return {
    store,
    parts,
    sessions,
    start: (data?: string) =>
      sessions.start(
        { principal, ...(data !== undefined && { link: link(data) }) },
        'elsewhere',
        stranger,
        coming,
      ),
    isActive: async (value: string) =>
      (await sessions.current({ binding, session: value }, new Set(['elsewhere']))) !== undefined,
  };
}

describe('a login session that is tied to one elsewhere', () => {
  it('returns the data of the module, while the session is active', async () => {
    const { start, sessions, store, parts } = deps();
    const { session } = await start('a');
    assert.equal((await sessions.linkOf(session))?.data, 'a');
    assert.equal(await sessions.linkOf((await start()).session), undefined);
    assert.equal((await store.sessionLinks.find(session.id))?.expires, parts.clock.now() + 5_000_000);
  });

  it('is ended from there with all others that are meant, and no others', async () => {
    const { start, sessions, isActive } = deps();
    const [first, second, untied] = [await start('a'), await start('b'), await start()];
    assert.equal(await sessions.endLinked('another user', () => true, coming), 0);
    assert.equal(await sessions.endLinked('emma there', (data) => data === 'b', coming), 1);
    assert.deepEqual(await Promise.all([first, second, untied].map(({ value }) => isActive(value))), [
      true,
      false,
      true,
    ]);
    assert.equal(await sessions.endLinked('emma there', () => true, coming), 1);
    assert.deepEqual(await Promise.all([first, second, untied].map(({ value }) => isActive(value))), [
      false,
      false,
      true,
    ]);
  });

  it('is logged with the identity provider that ended it', async () => {
    const { start, sessions, store } = deps();
    const { session } = await start('a');
    await sessions.endLinked('emma there', () => true, { clientId: undefined, source: '198.51.100.1' });
    const [logout, login] = await store.auditEvents.list({ kind: 'logins', limit: 10 });
    assert.deepEqual([login?.action, login?.recordId, login?.source], ['login', session.id, '192.0.2.7']);
    assert.deepEqual(
      [logout?.action, logout?.recordId, logout?.source, logout?.after],
      ['logout', session.id, '198.51.100.1', { endedBy: 'identityProvider' }],
    );
    assert.deepEqual(logout?.owner, { identityProvider: 'elsewhere', name: 'emma' });
  });

  it('that has expired is not logged as a logout when another session replaces it', async () => {
    const { parts, sessions, store } = deps();
    const { value } = await sessions.start({ principal }, 'elsewhere', stranger, coming);
    parts.clock.advance(1_000_000);
    await sessions.start({ principal }, 'elsewhere', { binding, session: value }, coming);
    const events = await store.auditEvents.list({ limit: 10 });
    assert.deepEqual(
      events.map(({ action }) => action),
      ['login', 'login'],
    );
  });

  it('does not come to life when it was ended from there before it was stored', async () => {
    const { parts, isActive, store } = deps();
    const { loginSessions } = parts;
    const sessions = new LoginSessions({
      ...parts,
      loginSessions: {
        ...loginSessions,
        async insert(session, event) {
          assert.equal(await sessions.endLinked('emma there', () => true, coming), 0);
          return loginSessions.insert(session, event);
        },
      },
    });
    const { value } = await sessions.start({ principal, link: link('a') }, 'elsewhere', stranger, coming);
    assert.ok(!(await isActive(value)));
    const [logout] = await store.auditEvents.list({ limit: 1 });
    assert.deepEqual([logout?.action, logout?.after], ['logout', { endedBy: 'identityProvider' }]);
  });

  it('does not come to life either when it was stored while it was ended from there', async () => {
    const { parts, isActive } = deps();
    const { loginSessions, sessionLinks } = parts;
    const [looked, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let ended: Promise<number> | undefined;
    const sessions = new LoginSessions({
      ...parts,
      sessionLinks: {
        ...sessionLinks,
        async delete(id) {
          looked.resolve();
          await started.promise;
          await sessionLinks.delete(id);
        },
      },
      loginSessions: {
        ...loginSessions,
        async insert(session, event) {
          ended = sessions.endLinked('emma there', () => true, coming);
          await looked.promise;
          return loginSessions.insert(session, event);
        },
      },
    });
    const { value } = await sessions.start({ principal, link: link('a') }, 'elsewhere', stranger, coming);
    started.resolve();
    assert.equal(await ended, 1);
    assert.ok(!(await isActive(value)));
  });
});

describe('the last use of a login session', () => {
  it('is stored when a tenth of its idle lifetime has passed since, and not at each request', async () => {
    const { parts, store } = deps();
    const stored: number[] = [];
    const sessions = new LoginSessions({
      ...parts,
      loginSessions: {
        ...store.loginSessions,
        async touch(id, now) {
          stored.push(now);
          await store.loginSessions.touch(id, now);
        },
      },
    });
    const { value } = await sessions.start({ principal }, 'elsewhere', stranger, coming);
    const use = () => sessions.current({ binding, session: value }, new Set(['elsewhere']));
    for (const seconds of [0, 99, 1, 99, 1]) {
      parts.clock.advance(seconds * 1000);
      assert.notEqual(await use(), undefined);
    }
    const now = parts.clock.now();
    assert.deepEqual(stored, [now - 100_000, now]);
  });
});
