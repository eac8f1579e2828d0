import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accountIdentityProvider, type Credential } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { buildCredential } from '../../builders/credential.ts';
import { start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

const emma = { identityProvider: accountIdentityProvider, name: 'emma' };

const numbered = (index: number, overrides: Partial<Credential> = {}) =>
  buildCredential({ id: `019aa000-0000-7000-8000-00000000${1000 + index}`, ...overrides });

export function credentialRules(openStore: OpenStore): void {
  it(
    'returns the credentials of a person as they were stored, in the order of their creation',
    withStore(openStore, async ({ credentials }) => {
      const later = numbered(1, { creationDate: start + 1 });
      const first = numbered(2, { kind: 'passkey', handle: 'aGFuZGxl-_', counter: 7, lastUsed: start });
      const other = numbered(3, { subject: 'finn', kind: 'recovery_code' });
      for (const each of [later, first, other]) assert.ok(await credentials.create(each, 1));
      assert.deepEqual(await credentials.listBySubject(first.subject), [first, later]);
      assert.deepEqual(await credentials.listBySubject('finn'), [other]);
      assert.deepEqual(await credentials.listBySubject('Finn'), []);
      assert.deepEqual(await credentials.listByOwner(emma), [first, other, later]);
      assert.deepEqual(await credentials.listByOwner({ ...emma, name: 'Emma' }), []);
      assert.deepEqual(await credentials.listByOwner({ ...emma, identityProvider: 'form' }), []);
      assert.deepEqual(await credentials.findById(other.id), other);
      assert.equal(await credentials.findById(`${other.id}0`), undefined);
      assert.deepEqual(await credentials.findByHandle('aGFuZGxl-_'), first);
      assert.equal(await credentials.findByHandle('AGFuZGxl-_'), undefined);
    }),
  );

  it(
    'counts local accounts that are not disabled by their factors, and other people who have one',
    withStore(openStore, async ({ accounts, credentials }) => {
      const names = ['emma', 'finn', 'gina', 'hugo', 'ines'];
      for (const [index, username] of names.entries()) {
        const flags = { adminPrincipal: index < 2, disabled: username === 'ines' };
        await accounts.create(buildAccount({ id: `${username}-1`, username, ...flags }));
      }
      const none = { people: 0, passkey: 0, totp: 0, recoveryCodes: 0, none: 0 };
      assert.deepEqual((await credentials.countPeople()).others, none);
      const has = [
        ...[['emma', 'passkey'] as const, ['emma', 'totp'] as const, ['emma', 'totp'] as const],
        ...[
          ['gina', 'totp'] as const,
          ['gina', 'recovery_code'] as const,
          ['gina', 'recovery_code'] as const,
        ],
        ...[['hugo', 'trusted_browser'] as const, ['ines', 'passkey'] as const],
      ];
      for (const [index, [name, kind]] of has.entries())
        await credentials.create(numbered(index, { kind, subject: name, owner: { ...emma, name } }), 9);
      const elsewhere = { identityProvider: 'https://idp.example', name: 'emma' };
      const abroad = { subject: 'guest', owner: elsewhere };
      await credentials.create(numbered(20, { ...abroad, kind: 'totp' }), 9);
      await credentials.create(numbered(21, { ...abroad, kind: 'recovery_code' }), 9);
      await credentials.create(numbered(22, { ...abroad, kind: 'trusted_browser', subject: 'x' }), 9);
      assert.deepEqual(await credentials.countPeople(), {
        accounts: { people: 4, passkey: 1, totp: 2, recoveryCodes: 1, none: 2 },
        administrators: { people: 2, passkey: 1, totp: 1, recoveryCodes: 0, none: 1 },
        others: { people: 1, passkey: 0, totp: 1, recoveryCodes: 1, none: 0 },
      });
    }),
  );

  it(
    'stores no handle twice, nor more credentials of a kind than the limit',
    withStore(openStore, async ({ credentials }) => {
      const passkey = (index: number, handle: string, subject = 'a') =>
        numbered(index, { kind: 'passkey', handle, subject });
      assert.ok(await credentials.create(passkey(1, 'one'), 2));
      assert.ok(!(await credentials.create(passkey(2, 'one', 'b'), 2)));
      assert.ok(!(await credentials.create(passkey(1, 'other', 'b'), 2)));
      assert.ok(await credentials.create(passkey(3, 'two'), 2));
      assert.ok(!(await credentials.create(passkey(4, 'three'), 2)));
      assert.ok(await credentials.create(numbered(5, { subject: 'a' }), 2));
      assert.deepEqual(await credentials.listBySubject('b'), []);
    }),
  );

  it(
    'keeps the limit among transactions at once, and stores a handle once of many that ask at once',
    withStore(openStore, async ({ credentials, transact }) => {
      const limited = Array.from({ length: 6 }, (_, index) =>
        transact((stores) => stores.credentials.create(numbered(index), 2)),
      );
      assert.equal((await Promise.all(limited)).filter(Boolean).length, 2);
      const tries = Array.from({ length: 10 }, (_, index) =>
        credentials.create(numbered(10 + index, { subject: `${index}`, kind: 'passkey', handle: 'one' }), 9),
      );
      assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
    }),
  );

  it(
    'uses a counter that grows, and one that stays 0',
    withStore(openStore, async ({ credentials }) => {
      const credential = buildCredential();
      const find = async () => (await credentials.listBySubject(credential.subject))[0];
      await credentials.create(credential, 1);
      assert.ok(await credentials.use(credential.id, { counter: 0, lastUsed: start + 1 }));
      assert.deepEqual(await find(), { ...credential, lastUsed: start + 1 });
      const used = { counter: 2 ** 32 - 1, lastUsed: start + 2, data: '{}' };
      assert.ok(await credentials.use(credential.id, used));
      for (const counter of [0, 5, used.counter]) {
        assert.ok(!(await credentials.use(credential.id, { counter, lastUsed: start + 3, data: 'no' })));
      }
      assert.deepEqual(await find(), { ...credential, ...used });
      assert.ok(!(await credentials.use(numbered(1).id, { counter: 1, lastUsed: start })));
    }),
  );

  it(
    'uses a value of a counter once, and deletes a credential once, of many that try at once',
    withStore(openStore, async ({ credentials }) => {
      const { id, subject } = buildCredential();
      await credentials.create(buildCredential(), 1);
      const uses = Array.from({ length: 20 }, () => credentials.use(id, { counter: 3, lastUsed: start }));
      assert.equal((await Promise.all(uses)).filter(Boolean).length, 1);
      const deletions = Array.from({ length: 20 }, () => credentials.delete(subject, id));
      assert.equal((await Promise.all(deletions)).filter(Boolean).length, 1);
    }),
  );

  it(
    'renames and deletes credentials of their own person only, and of the kinds that are named',
    withStore(openStore, async ({ credentials }) => {
      const [totp, code, other] = [
        numbered(1),
        numbered(2, { kind: 'recovery_code' }),
        numbered(3, { subject: 'finn' }),
      ];
      for (const each of [totp, code, other]) await credentials.create(each, 1);
      assert.ok(!(await credentials.rename('finn', totp.id, 'x')));
      assert.ok(await credentials.rename(totp.subject, totp.id, '📱'));
      assert.ok(!(await credentials.delete('finn', totp.id)));
      assert.equal(await credentials.deleteBySubject(totp.subject, ['recovery_code', 'passkey']), 1);
      assert.deepEqual(await credentials.listBySubject(totp.subject), [{ ...totp, name: '📱' }]);
      assert.ok(await credentials.delete(totp.subject, totp.id));
      assert.ok(!(await credentials.rename(totp.subject, totp.id, 'x')));
      await credentials.create(totp, 1);
      assert.equal(await credentials.deleteBySubject(totp.subject), 1);
      assert.deepEqual(await credentials.listBySubject('finn'), [other]);
    }),
  );

  it(
    'ends the trust in the browsers of a person with all their sessions, and with a change of their account',
    withStore(openStore, async ({ accounts, credentials, transact }) => {
      await accounts.create(buildAccount({ username: 'emma' }));
      const totp = numbered(1);
      const browser = numbered(2, { kind: 'trusted_browser' });
      const namesake = { subject: 'b', owner: { ...emma, identityProvider: 'elsewhere' } };
      const elsewhere = numbered(3, { ...namesake, kind: 'trusted_browser' });
      for (const each of [totp, browser, elsewhere]) await credentials.create(each, 1);
      await transact(({ issuedTokens }) => issuedTokens.endSessions(emma, start));
      assert.deepEqual(await credentials.listBySubject(totp.subject), [totp]);
      await credentials.create(browser, 1);
      await accounts.update('emma', { passwordHash: 'another' }, start);
      assert.deepEqual(await credentials.listBySubject(totp.subject), [totp]);
      assert.deepEqual(await credentials.listBySubject('b'), [elsewhere]);
    }),
  );

  it(
    'deletes the credentials of an account that is deleted, and those of no other person of the name',
    withStore(openStore, async ({ accounts, credentials }) => {
      await accounts.create(buildAccount({ username: 'emma' }));
      const own = numbered(1);
      const namesake = numbered(2, { subject: 'b', owner: { ...emma, identityProvider: 'elsewhere' } });
      const other = numbered(3, { subject: 'c', owner: { ...emma, name: 'finn' } });
      for (const each of [own, namesake, other]) await credentials.create(each, 1);
      await accounts.update('emma', { disabled: true }, start);
      assert.deepEqual(await credentials.listBySubject(own.subject), [own]);
      await accounts.delete('emma', start);
      assert.deepEqual(await credentials.listBySubject(own.subject), []);
      for (const each of [namesake, other])
        assert.deepEqual(await credentials.listBySubject(each.subject), [each]);
      await accounts.forget(namesake.owner, start);
      assert.deepEqual(await credentials.listBySubject('b'), []);
    }),
  );

  it(
    'deletes the credentials of the people of an identity provider that is ended',
    withStore(openStore, async ({ identityProviderUse, credentials }) => {
      const gone = [1, 2].map((index) =>
        numbered(index, { subject: `${index}`, owner: { identityProvider: 'gone', name: `${index}` } }),
      );
      const left = numbered(3);
      for (const each of [...gone, left]) await credentials.create(each, 1);
      await identityProviderUse.end('gone', start);
      for (const { subject } of gone) assert.deepEqual(await credentials.listBySubject(subject), []);
      assert.deepEqual(await credentials.listBySubject(left.subject), [left]);
    }),
  );

  it(
    'forgets what a transaction did that fails',
    withStore(openStore, async ({ credentials, transact }) => {
      await credentials.create(buildCredential(), 1);
      const failed = transact(async (stores) => {
        await stores.credentials.deleteBySubject(buildCredential().subject);
        assert.ok(await stores.credentials.create(numbered(1), 1));
        throw new Error('no');
      });
      await assert.rejects(failed, /^Error: no$/);
      assert.deepEqual(await credentials.listBySubject(buildCredential().subject), [buildCredential()]);
    }),
  );
}
