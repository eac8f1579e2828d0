import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Account, identityOf } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { grantFactory } from '../../builders/grant.ts';
import { sessionFactory } from '../../builders/login-session.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { areFound, coded, redeemed, start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

const now = Date.UTC(2026, 0, 2);

const everyField: Partial<Account> = {
  displayName: 'Ünïcode ✓ "quoted"',
  roles: ["it's; drop table account --", 'b', 'a'],
  groups: ['c d', 'ü"\\'],
  adminPrincipal: true,
  disabled: true,
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
  email: 'ünï"\\@example.org',
  emailVerified: true,
  givenName: 'Ünï "quoted" \\',
  phoneNumber: '+31 6 12345678',
  phoneNumberVerified: true,
  address: { formatted: 'Dam 1\nAmsterdam', country: 'NL' },
  revision: 7,
  enabledRevision: 5,
  resetLink: { digest: new Uint8Array(32).fill(1), expires: now },
  needsLongPassword: true,
};

export function accountRules(openStore: OpenStore): void {
  it(
    'keeps every field of an account',
    withStore(openStore, async ({ accounts }) => {
      const account = buildAccount(everyField);
      assert.ok(await accounts.create(account));
      assert.deepEqual(await accounts.find('emma'), account);
      const plain = buildAccount({ username: 'finn', roles: [], groups: [] });
      await accounts.create(plain);
      assert.deepEqual(await accounts.find('finn'), plain);
    }),
  );

  it(
    'rejects a second account with the same username, and changes nothing',
    withStore(openStore, async ({ accounts }) => {
      const account = buildAccount();
      assert.ok(await accounts.create(account));
      assert.ok(!(await accounts.create(buildAccount({ ...everyField, id: 'another' }))));
      assert.deepEqual(await accounts.find('emma'), account);
    }),
  );

  it(
    'creates one of many concurrent accounts with the same username',
    withStore(openStore, async ({ accounts }) => {
      const candidates = Array.from({ length: 20 }, (_, index) =>
        buildAccount({ id: `id ${index}`, displayName: `${index}` }),
      );
      const created = await Promise.all(candidates.map((account) => accounts.create(account)));
      assert.equal(created.filter(Boolean).length, 1);
      assert.deepEqual(await accounts.find('emma'), candidates[created.indexOf(true)]);
    }),
  );

  it(
    'compares usernames character by character, without folding, trimming or normalization',
    withStore(openStore, async ({ accounts }) => {
      const names = ['alice', 'Alice', 'ALICE', 'alice ', 'ａｌｉｃｅ', 'alicé', 'alice\u0301', '%', 'alic_'];
      for (const username of names) {
        assert.equal(
          await accounts.create(buildAccount({ username, displayName: username })),
          true,
          username,
        );
      }
      for (const name of names) assert.equal((await accounts.find(name))?.displayName, name);
      for (const other of ['', 'aLICE', ' alice', 'alic', 'alicee']) {
        assert.equal(await accounts.find(other), undefined, other);
      }
    }),
  );

  it(
    'lists accounts page by page, in the order of code points, each once',
    withStore(openStore, async ({ accounts }) => {
      const names = ['A', 'B', 'a', 'a b', 'b', 'é', '\uff41', '😀'];
      for (const username of names.toReversed()) await accounts.create(buildAccount({ username }));
      const listed: string[] = [];
      for (;;) {
        const after = listed.at(-1);
        const page = await accounts.list({ limit: 3, ...(after !== undefined && { after }) });
        assert.ok(page.length <= 3);
        if (page.length === 0) break;
        listed.push(...page.map(({ username }) => username));
      }
      assert.deepEqual(listed, names);
    }),
  );

  it(
    'changes only the named fields, on that account only',
    withStore(openStore, async ({ accounts }) => {
      const [emma, finn] = [buildAccount(), buildAccount({ username: 'finn' })];
      await accounts.create(emma);
      await accounts.create(finn);
      const changes = [
        { disabled: true },
        { adminPrincipal: true },
        { groups: ['x', 'y'] },
        { roles: [] },
        { displayName: 'New' },
        { passwordHash: 'new' },
        { disabled: false, adminPrincipal: false },
        { email: 'emma@example.org', emailVerified: true, locale: 'nl', address: { country: 'NL' } },
        { email: '', emailVerified: false, address: {} },
        { passwordHash: undefined, resetLink: { digest: new Uint8Array(32).fill(2), expires: now } },
      ];
      let expected = emma;
      for (const change of changes) {
        assert.deepEqual(await accounts.update('emma', change, now), { sessions: 0, grants: 0 });
        expected = { ...expected, ...change, revision: expected.revision + 1 };
        if (change.disabled === false) expected = { ...expected, enabledRevision: expected.revision };
        assert.deepEqual(await accounts.find('emma'), expected);
      }
      assert.deepEqual(await accounts.find('finn'), finn);
    }),
  );

  it(
    'remembers the revision in which an account was enabled, and no other change',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(buildAccount());
      const enabledIn: number[] = [];
      for (const change of [
        { disabled: false },
        { disabled: true },
        { disabled: true, groups: ['x'] },
        { disabled: false },
        { disabled: false, groups: ['y'] },
        { passwordHash: 'new' },
      ]) {
        await accounts.update('emma', change, now);
        enabledIn.push((await accounts.find('emma'))?.enabledRevision ?? -1);
      }
      assert.deepEqual(enabledIn, [0, 0, 0, 5, 5, 5]);
    }),
  );

  it(
    'ends the sessions and grants of an account at every change, and of no other account',
    withStore(openStore, async (store) => {
      const { accounts, loginSessions, accessTokens } = store;
      const [session, make] = [sessionFactory(), grantFactory()];
      const owners = [
        buildResourceOwner('emma'),
        buildResourceOwner('Emma'),
        buildResourceOwner('emma', 'https://idp.example'),
      ];
      await accounts.create(buildAccount());
      for (const change of [{ disabled: true }, { groups: [] }, { passwordHash: 'new' }]) {
        const sessions = owners.map((owner) => session({ owner }));
        for (const each of [...sessions, session({ expires: start })]) await loginSessions.insert(each);
        const issued = await Promise.all(owners.map((owner) => redeemed(store, make, { owner })));
        await coded(store, make);
        assert.deepEqual(await accounts.update('emma', change, start + 1), { sessions: 1, grants: 2 });
        const found = await Promise.all(sessions.map(({ id }) => loginSessions.find(id)));
        assert.deepEqual(
          found.map((each) => each !== undefined),
          [false, true, true],
        );
        assert.deepEqual(await areFound(store, ...issued), [false, false, true, true, true, true]);
        assert.equal(
          (await accessTokens.find(issued[1]?.accessToken.id ?? ''))?.grantId,
          issued[1]?.grant.id,
        );
      }
      const nothing = { sessions: 0, grants: 0 };
      assert.deepEqual(await accounts.update('emma', { disabled: false }, start + 2), nothing);
    }),
  );

  it(
    'deletes everything of an account, so that a new account with its username gets nothing, and ends nothing of other owners',
    withStore(openStore, async (store) => {
      const { accounts, loginSessions, consents } = store;
      const [session, make] = [sessionFactory(), grantFactory()];
      await accounts.create(buildAccount());
      await accounts.create(buildAccount({ username: 'Emma' }));
      const owners = [
        buildResourceOwner('emma'),
        buildResourceOwner('Emma'),
        buildResourceOwner('emma', 'https://idp.example'),
      ];
      const sessions = owners.map((owner) => session({ owner }));
      for (const each of sessions) await loginSessions.insert(each);
      const issued = await Promise.all(owners.map((owner) => redeemed(store, make, { owner })));
      const client = await addClient(store, 'app', await addResourceServer(store));
      const keys = owners.map((owner) => ({
        owner: identityOf(owner),
        subject: owner.subject,
        clientRecordId: client.id,
        redirectUri: 'https://app.example/cb',
      }));
      for (const [index, key] of keys.entries()) {
        await consents.save({ key, scopes: ['read'], savedAt: start }, issued[index]?.grant.id ?? '');
      }

      assert.deepEqual(await accounts.delete('emma', start), { sessions: 1, grants: 1 });
      assert.equal(await accounts.find('emma'), undefined);
      assert.ok(await accounts.create(buildAccount({ id: 'another' })));
      const found = await Promise.all(sessions.map(({ id }) => loginSessions.find(id)));
      assert.deepEqual(found.map(Boolean), [false, true, true]);
      assert.deepEqual(await areFound(store, ...issued), [false, false, true, true, true, true]);
      const left = await Promise.all(keys.map((key) => consents.find(key)));
      assert.deepEqual(left.map(Boolean), [false, true, true]);
      assert.notEqual(await accounts.find('Emma'), undefined);
      assert.equal(await accounts.delete('nobody', start), undefined);
    }),
  );

  it(
    'ends nothing when a stronger hash replaces a hash',
    withStore(openStore, async (store) => {
      const session = sessionFactory()();
      await store.accounts.create(buildAccount({ passwordHash: 'old' }));
      await store.loginSessions.insert(session);
      const issued = await redeemed(store, grantFactory());
      await store.accounts.replaceHash('emma', 'old', 'new');
      assert.notEqual(await store.loginSessions.find(session.id), undefined);
      assert.deepEqual(await areFound(store, issued), [true, true]);
    }),
  );

  it(
    'does not change an unknown account',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(buildAccount());
      assert.equal(await accounts.update('Emma', { disabled: true }, now), undefined);
      assert.equal((await accounts.find('emma'))?.disabled, false);
    }),
  );

  it(
    'finds the hash of the account whose id comes next, also where that one has none',
    withStore(openStore, async ({ accounts }) => {
      assert.equal(await accounts.hashNear(''), undefined);
      await accounts.create(buildAccount({ id: 'ccc', passwordHash: 'of emma' }));
      await accounts.create(buildAccount({ id: 'mmm', username: 'finn', passwordHash: undefined }));
      await accounts.create(buildAccount({ id: 'ttt', username: 'gina', passwordHash: 'of gina' }));
      const found = ['aaa', 'ccc', 'ccd', 'mmn', 'ttu'].map((id) => accounts.hashNear(id));
      assert.deepEqual(await Promise.all(found), ['of emma', 'of emma', undefined, 'of gina', undefined]);
    }),
  );

  it(
    'replaces a hash only if it is still the expected one, and ends the reset link with it',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(buildAccount({ passwordHash: 'old' }));
      await accounts.create(buildAccount({ username: 'finn', passwordHash: 'old' }));
      assert.ok(await accounts.replaceHash('emma', 'old', 'new'));
      assert.ok(!(await accounts.replaceHash('emma', 'old', 'late')));
      assert.ok(!(await accounts.replaceHash('nobody', 'old', 'new')));
      assert.equal((await accounts.find('emma'))?.passwordHash, 'new');
      assert.equal((await accounts.find('finn'))?.passwordHash, 'old');
      const resetLink = { digest: Buffer.alloc(32, 1), expires: now + 1 };
      await accounts.create(buildAccount({ username: 'gina', passwordHash: undefined, resetLink }));
      assert.ok(!(await accounts.replaceHash('finn', undefined, 'new')));
      assert.ok(!(await accounts.replaceHash('gina', '', 'new')));
      assert.ok(await accounts.replaceHash('gina', undefined, 'new'));
      assert.ok(!(await accounts.replaceHash('gina', undefined, 'late')));
      const gina = await accounts.find('gina');
      assert.deepEqual([gina?.passwordHash, gina?.resetLink], ['new', undefined]);
      assert.equal(await accounts.findByResetLink(resetLink.digest), undefined);
    }),
  );
}
