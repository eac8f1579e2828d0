import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildResourceOwner,
  FakeClock,
  FakeIdentityProviders,
  memoryStore,
  seededRandom,
} from '@watchword/testkit';
import { LoginSessions } from '../src/index.ts';

const owner = buildResourceOwner('emma');
const binding = 'of the browser';
const stranger = { binding, session: undefined };
const link = (data: string) => ({ key: 'emma there', data });

function world() {
  const store = memoryStore();
  const clock = new FakeClock();
  const identityProviders = new FakeIdentityProviders();
  const lifetimes = { sessionIdleLifetime: 1000, sessionLifetime: 5000 };
  const parts = { ...store, ...lifetimes, clock, random: seededRandom(), identityProviders };
  const sessions = new LoginSessions(parts);
  return {
    store,
    parts,
    sessions,
    start: (data?: string) =>
      sessions.start(owner, 'elsewhere', stranger, data === undefined ? undefined : link(data)),
    lives: async (value: string) =>
      (await sessions.current({ binding, session: value }, 'elsewhere')) !== undefined,
  };
}

describe('a login session that is tied to one elsewhere', () => {
  it('knows what the module wanted to know again, as long as the session lives', async () => {
    const { start, sessions, store, parts } = world();
    const { session } = await start('a');
    assert.equal(await sessions.linkOf(session), 'a');
    assert.equal(await sessions.linkOf((await start()).session), undefined);
    assert.equal((await store.sessionLinks.find(session.id))?.expires, parts.clock.now() + 5_000_000);
  });

  it('is ended from there with all others that are meant, and no others', async () => {
    const { start, sessions, lives } = world();
    const [first, second, untied] = [await start('a'), await start('b'), await start()];
    assert.equal(await sessions.endLinked('somebody else', () => true), 0);
    assert.equal(await sessions.endLinked('emma there', (data) => data === 'b'), 1);
    assert.deepEqual(await Promise.all([first, second, untied].map(({ value }) => lives(value))), [
      true,
      false,
      true,
    ]);
    assert.equal(await sessions.endLinked('emma there', () => true), 1);
    assert.deepEqual(await Promise.all([first, second, untied].map(({ value }) => lives(value))), [
      false,
      false,
      true,
    ]);
  });

  it('does not come to life when it was ended from there before it was stored', async () => {
    const { parts, lives } = world();
    const { loginSessions } = parts;
    const sessions = new LoginSessions({
      ...parts,
      loginSessions: {
        ...loginSessions,
        async insert(session) {
          assert.equal(await sessions.endLinked('emma there', () => true), 0);
          await loginSessions.insert(session);
        },
      },
    });
    const { value } = await sessions.start(owner, 'elsewhere', stranger, link('a'));
    assert.equal(await lives(value), false);
  });
});
