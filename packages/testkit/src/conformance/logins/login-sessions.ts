import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type AuditEvent, identityOf, type LoginSession } from '@watchword/protocol';
import { auditEventFactory } from '../../builders/audit-event.ts';
import { sessionFactory } from '../../builders/login-session.ts';
import { buildPrincipal, buildResourceOwner } from '../../builders/resource-owner.ts';
import { plain, start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

function loginEventOf({ id, owner }: LoginSession): AuditEvent {
  const person = identityOf(owner);
  const record = { recordType: 'loginSession', recordId: id } as const;
  return auditEventFactory(id)({
    action: 'login',
    ...record,
    owner: person,
    actor: person,
    before: undefined,
  });
}

export function loginSessionRules(openStore: OpenStore): void {
  it(
    'finds a session as it was inserted, expired or not',
    withStore(openStore, async ({ loginSessions }) => {
      const make = sessionFactory();
      const principal = buildPrincipal({
        name: 'Émma \u0001',
        roles: ['a'],
        groups: ['b'],
        adminPrincipal: true,
        attributes: { ['__proto__']: 'x' },
      });
      const verifierHash = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index);
      const sessions = [
        make({
          owner: { identityProvider: 'https://idp.example', subject: 'sübject', principal },
          authenticator: 'säml',
        }),
        make({
          authentication: {
            authenticatedAt: start - 5000,
            amr: ['pwd', 'otp'],
            acr: 'https://refeds.org/profile/mfa',
            sessionId: '"ü"',
            identityProvider: 'https://idp.example',
          },
        }),
        make({ lastUsed: start + 5, expires: start + 9, verifierHash }),
        make({ expires: start - 1000 }),
      ];
      for (const session of sessions) await loginSessions.insert(session);
      for (const session of sessions) {
        assert.deepEqual(plain(await loginSessions.find(session.id)), plain(session));
      }
      assert.equal(await loginSessions.find(make().id), undefined);
    }),
  );

  it(
    'records a use for that session only, and never replaces a later use with an earlier one',
    withStore(openStore, async ({ loginSessions }) => {
      const make = sessionFactory();
      const [used, other] = [make(), make()];
      for (const session of [used, other]) await loginSessions.insert(session);
      const lastUsed = async (id: string) => (await loginSessions.find(id))?.lastUsed;
      await loginSessions.touch(used.id, start + 10);
      assert.equal(await lastUsed(used.id), start + 10);
      await loginSessions.touch(used.id, start + 5);
      assert.equal(await lastUsed(used.id), start + 10);
      assert.equal(await lastUsed(other.id), start);
      assert.deepEqual(plain(await loginSessions.find(used.id)), plain({ ...used, lastUsed: start + 10 }));
    }),
  );

  it(
    'replaces a session of the same user that has the id, and none of another user',
    withStore(openStore, async ({ loginSessions }) => {
      const make = sessionFactory();
      const first = make();
      assert.ok(await loginSessions.insert(first));
      const next = { ...make(), id: first.id, creationDate: start + 1 };
      assert.ok(await loginSessions.insert(next));
      assert.deepEqual(plain(await loginSessions.find(first.id)), plain(next));
      const other = { ...next, owner: buildResourceOwner('finn') };
      assert.ok(!(await loginSessions.insert(other)));
      assert.deepEqual(plain(await loginSessions.find(first.id)), plain(next));
    }),
  );

  it(
    'raises a session that is as it was read, in place of what it was',
    withStore(openStore, async ({ loginSessions, auditEvents }) => {
      const make = sessionFactory();
      const session = make({ authentication: { ...make().authentication, isPending: true } });
      await loginSessions.insert(session);
      assert.deepEqual(plain(await loginSessions.find(session.id)), plain(session));
      const { isPending: _, ...login } = session.authentication;
      const times = { creationDate: start + 1, lastUsed: start + 2, expires: start + 3 };
      const principal = { ...session.owner.principal, roles: ['boss'] };
      const raised = {
        ...session,
        ...times,
        owner: { ...session.owner, principal },
        authentication: { ...login, amr: ['pwd', 'otp'] },
        authenticator: 'other',
        verifierHash: new Uint8Array(32),
        source: '192.0.2.9',
        device: 'Firefox, Linux',
      };
      const event = loginEventOf(session);
      assert.ok(await loginSessions.raise(raised, event));
      assert.deepEqual(plain(await loginSessions.find(session.id)), plain(raised));
      const logged = await auditEvents.list({ kind: 'logins', limit: 9 });
      assert.deepEqual(
        logged.map(({ id }) => id),
        [event.id],
      );
    }),
  );

  it(
    'raises no session that has ended, and none of whose owner access has ended since, and logs nothing',
    withStore(openStore, async (store) => {
      const { loginSessions, auditEvents } = store;
      const make = sessionFactory();
      const [gone, counted] = [make(), make()];
      for (const session of [gone, counted]) await loginSessions.insert(session);
      await loginSessions.delete(gone.id, { now: start });
      assert.ok(!(await loginSessions.raise(gone, loginEventOf(gone))));
      assert.equal(await loginSessions.find(gone.id), undefined);
      await store.grants.withdraw(counted.owner.subject, [{ clientRecordId: 1 }], start);
      const raised = { ...counted, expires: start + 9 };
      assert.ok(!(await loginSessions.raise(raised, loginEventOf(counted))));
      assert.equal((await loginSessions.find(counted.id))?.expires, counted.expires);
      assert.deepEqual(await auditEvents.list({ kind: 'logins', limit: 9 }), []);
    }),
  );

  it(
    'removes a deleted session and no other, and a use does not restore it',
    withStore(openStore, async ({ loginSessions }) => {
      const make = sessionFactory();
      const [gone, other] = [make(), make()];
      for (const session of [gone, other]) await loginSessions.insert(session);
      assert.ok(await loginSessions.delete(gone.id, { now: start }));
      await loginSessions.touch(gone.id, start + 10);
      assert.equal(await loginSessions.find(gone.id), undefined);
      assert.ok(!(await loginSessions.delete(gone.id, { now: start })));
      assert.notEqual(await loginSessions.find(other.id), undefined);
    }),
  );

  it(
    'accepts one of many concurrent deletions of one session',
    withStore(openStore, async ({ loginSessions }) => {
      const session = sessionFactory()();
      await loginSessions.insert(session);
      const deleted = await Promise.all(
        Array.from({ length: 20 }, () => loginSessions.delete(session.id, { now: start })),
      );
      assert.equal(deleted.filter(Boolean).length, 1);
    }),
  );

  it(
    'lists sessions page by page, newest first, of all users or of one, by exact identity provider and name or by subject',
    withStore(openStore, async ({ loginSessions }) => {
      const make = sessionFactory();
      const sessions = [
        make(),
        make({ owner: buildResourceOwner('emma', 'idp') }),
        make({ owner: buildResourceOwner('Emma') }),
        make(),
      ];
      for (const session of sessions) await loginSessions.insert(session);
      const newest = sessions.toSorted((a, b) => (a.id < b.id ? 1 : -1));
      assert.deepEqual((await loginSessions.list({ limit: 9 })).map(plain), newest.map(plain));
      const first = await loginSessions.list({ limit: 1 });
      const rest = await loginSessions.list({ before: first[0]?.id ?? '', limit: 9 });
      assert.deepEqual([...first, ...rest].map(plain), newest.map(plain));
      const owner = { identityProvider: 'password', name: 'emma' };
      const own = newest.filter((session) => session === sessions[0] || session === sessions[3]);
      assert.deepEqual((await loginSessions.list({ owner, limit: 9 })).map(plain), own.map(plain));
      const { subject } = own[0]?.owner ?? assert.fail();
      const ofSubject = newest.filter((session) => session.owner.subject === subject);
      assert.deepEqual((await loginSessions.list({ subject, limit: 9 })).map(plain), ofSubject.map(plain));
    }),
  );

  it(
    'ends one session in a transaction, once, and no other',
    withStore(openStore, async (store) => {
      const make = sessionFactory();
      const [one, other] = [make(), make()];
      for (const session of [one, other]) await store.loginSessions.insert(session);
      const end = () => store.transact(({ issuedTokens }) => issuedTokens.endSession(one.id, start));
      assert.deepEqual([await end(), await end()], [true, false]);
      assert.equal(await store.loginSessions.find(one.id), undefined);
      assert.notEqual(await store.loginSessions.find(other.id), undefined);
    }),
  );
}
