import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AccountQuery } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

const now = Date.UTC(2026, 0, 2);

export function accountLookupRules(openStore: OpenStore): void {
  it(
    'finds an account by its id and by the digest of its last reset link',
    withStore(openStore, async ({ accounts }) => {
      const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
      const emma = buildAccount({ resetLink: { digest: first, expires: now } });
      await accounts.create(emma);
      await accounts.create(buildAccount({ username: 'finn' }));
      assert.deepEqual(await accounts.findById(emma.id), emma);
      assert.equal(await accounts.findById('emma'), undefined);
      assert.deepEqual(await accounts.findByResetLink(first), emma);
      await accounts.update('emma', { resetLink: { digest: second, expires: now } }, now);
      assert.equal(await accounts.findByResetLink(first), undefined);
      assert.equal((await accounts.findByResetLink(second))?.username, 'emma');
      await accounts.update('emma', { resetLink: undefined }, now);
      assert.equal(await accounts.findByResetLink(second), undefined);
    }),
  );

  it(
    'gives every account an id of its own',
    withStore(openStore, async ({ accounts }) => {
      assert.ok(await accounts.create(buildAccount({ id: 'one' })));
      assert.ok(!(await accounts.create(buildAccount({ id: 'one', username: 'finn' }))));
      assert.equal(await accounts.find('finn'), undefined);
    }),
  );

  it(
    'lists only the accounts that are disabled, are administrators or have a password, or are or have not',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(buildAccount({ username: 'ann', adminPrincipal: true }));
      await accounts.create(buildAccount({ username: 'ben', disabled: true }));
      const { passwordHash: _, ...waiting } = buildAccount({ username: 'cem' });
      await accounts.create({ ...waiting, passwordHash: undefined });
      const names = async (query: Omit<AccountQuery, 'limit'>) =>
        (await accounts.list({ ...query, limit: 10 })).map(({ username }) => username);
      assert.deepEqual(await names({ disabled: true }), ['ben']);
      assert.deepEqual(await names({ disabled: false }), ['ann', 'cem']);
      assert.deepEqual(await names({ adminPrincipal: true }), ['ann']);
      assert.deepEqual(await names({ adminPrincipal: false, after: 'ben' }), ['cem']);
      assert.deepEqual(await names({ username: 'ben' }), ['ben']);
      assert.deepEqual(await names({ username: 'ben', disabled: false }), []);
      assert.deepEqual(await names({ hasPassword: true }), ['ann', 'ben']);
      assert.deepEqual(await names({ hasPassword: false, disabled: false }), ['cem']);
    }),
  );

  it(
    'counts accounts, and leaves out none that contains the text of a search',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(
        buildAccount({
          username: 'Ann_100%',
          displayName: 'A "B" \\',
          groups: ['x"y!'],
          email: 'A.b%C@x.org',
        }),
      );
      await accounts.create(buildAccount({ username: 'cem', displayName: 'ÇEM', groups: [] }));
      assert.equal(await accounts.count(), 2);
      const names = async (mayContain: string) =>
        (await accounts.list({ mayContain, limit: 10 })).map(({ username }) => username);
      for (const text of ['ann_100%', 'n_1', '"b" \\', 'x"y', 'y!', '.b%c@x']) {
        assert.ok((await names(text)).includes('Ann_100%'), text);
      }
      for (const text of ['çe', 'cem', 'e']) assert.ok((await names(text)).includes('cem'), text);
    }),
  );

  it(
    'knows another administrator only while that account is not disabled and has a password',
    withStore(openStore, async ({ accounts }) => {
      await accounts.create(buildAccount({ adminPrincipal: true }));
      await accounts.create(buildAccount({ username: 'finn' }));
      assert.ok(!(await accounts.hasOtherAdministrator('emma')));
      assert.ok(await accounts.hasOtherAdministrator('finn'));
      for (const change of [{ disabled: true }, { disabled: false, passwordHash: undefined }]) {
        await accounts.update('emma', change, now);
        assert.ok(!(await accounts.hasOtherAdministrator('finn')));
      }
    }),
  );
}
