import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account, AuditEvent } from '@watchword/protocol';
import { buildAccount, flowDependencies, protocolError, submission, TestBrowser } from '@watchword/testkit';
import { passwordEndpoint } from '../src/passwords/password.ts';
import type { PasswordDependencies } from '../src/passwords/password-pages.ts';

const authenticator = {
  name: 'password',
  begin: async () => ({ type: 'form' }) as const,
  resume: async () => ({ type: 'form' }) as const,
};

type Moment = 'hashed' | 'replaced';

/** Emma changes her password, and another one changes her account at the moment. That ends her sessions until then. */
async function changeDuring(moment?: Moment, change = (account: Account) => account) {
  const deps = await flowDependencies({ authenticator });
  const { store, dependencies, sessions } = deps;
  const account = buildAccount();
  await store.accounts.create(account);
  const browser = new TestBrowser();
  const started: string[] = [];
  const audited: AuditEvent[] = [];
  const attempts: string[] = [];
  const strike = async (at: Moment) => {
    if (at !== moment) return;
    const current = await store.accounts.find(account.username);
    assert.ok(current);
    await store.accounts.delete(account.username, 0);
    await store.accounts.create(change(current));
  };
  const spied: PasswordDependencies['sessions'] = Object.create(sessions, {
    start: {
      value: async (...parts: Parameters<typeof sessions.start>) => {
        await strike('replaced');
        const made = await sessions.start(...parts);
        started.push(made.session.id);
        return made;
      },
    },
  });
  for (const method of ['current', 'end'] as const) {
    Object.defineProperty(spied, method, { value: sessions[method].bind(sessions) });
  }
  const endpoint = passwordEndpoint({
    ...dependencies,
    ...store,
    sessions: spied,
    audited: (event) => audited.push(event),
    passwords: {
      async hash(password) {
        await strike('hashed');
        return `hash of ${password}`;
      },
      matches: async () => true,
    },
    loginAttempts: {
      async begin() {
        attempts.push('begin');
        return 0;
      },
      async succeed() {
        attempts.push('succeed');
      },
      withdraw: async () => assert.fail('a right password'),
      remember: () => 'device',
      turn: (_account, of) => ({ of, isKnownDevice: false }),
    },
  });
  const binding = 'b'.repeat(43);
  const principal = { name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {} };
  const origin = { clientId: undefined, source: '192.0.2.7' };
  const { value } = await sessions.start(
    { principal, stableId: account.id },
    'password',
    { ...browser.state, binding },
    origin,
  );
  const state = { ...browser.state, binding, session: value };
  const page = await endpoint.showChange(state);
  const form = { auth_state: page?.authState ?? '', password: 'known', new_password: 'a new and long one' };
  const changed = endpoint.change(submission({ ...form, new_password_again: form.new_password }), state);
  return { store, changed, started, attempts, audited, page };
}

const otherAccounts: readonly [string, (account: Account) => Account][] = [
  ['was deleted and created again', (account) => ({ ...account, id: 'another id' })],
  ['was changed by an administrator', (account) => ({ ...account, revision: account.revision + 1 })],
  ['got another password', (account) => ({ ...account, passwordHash: 'another hash' })],
];

describe('a change of the own password', () => {
  it('stores the password, and starts a session that is valid', async () => {
    const { store, changed, started } = await changeDuring();
    const answer = await changed;
    assert.ok(answer !== undefined);
    assert.deepEqual(Object.keys(answer.cookies).toSorted(), ['device', 'session']);
    assert.equal((await store.accounts.find('emma'))?.passwordHash, 'hash of a new and long one');
    assert.notEqual(await store.loginSessions.find(started[0] ?? ''), undefined);
  });

  it('has a form that ends the access of applications, unless the user unticks that', async () => {
    const { page, changed } = await changeDuring();
    await changed;
    assert.deepEqual([page?.endsGrants, page?.cookies], [true, {}]);
  });

  it('leaves its trace in the audit log, which others hear of', async () => {
    const { audited, changed, store } = await changeDuring();
    await changed;
    const [event] = audited;
    assert.deepEqual([audited.length, event?.action, event?.recordName], [1, 'changePassword', 'emma']);
    assert.deepEqual(
      (await store.auditEvents.list({ limit: 9 })).filter(({ id }) => id === event?.id),
      audited,
    );
  });

  it('is a guess that was right', async () => {
    const { attempts, changed } = await changeDuring();
    await changed;
    assert.deepEqual(attempts, ['begin', 'succeed']);
  });

  for (const [what, change] of otherAccounts) {
    it(`stores nothing and starts no session when the account ${what} while the password was hashed`, async () => {
      const { store, changed, started } = await changeDuring('hashed', change);
      await assert.rejects(changed, protocolError('invalid_auth_state'));
      assert.deepEqual(await store.accounts.find('emma'), change(buildAccount()));
      assert.deepEqual(started, []);
    });

    it(`ends the new session when the account ${what} before it was stored`, async () => {
      const { store, changed, started } = await changeDuring('replaced', change);
      await assert.rejects(changed, protocolError('invalid_auth_state'));
      assert.equal(started.length, 1);
      assert.equal(await store.loginSessions.find(started[0] ?? ''), undefined);
    });
  }
});
