import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AccountLink } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

function buildLink(overrides: Partial<AccountLink> = {}): AccountLink {
  return {
    subject: 'subject of emma elsewhere',
    accountId: 'id of emma',
    authenticator: 'google',
    identityProvider: 'https://accounts.example.org',
    name: 'émma@example.org',
    creationDate: start,
    lastUsed: 0,
    ...overrides,
  };
}

export function accountLinkRules(openStore: OpenStore): void {
  it(
    'returns a link as it was stored, with its last use, until it is removed',
    withStore(openStore, async ({ accountLinks }) => {
      const link = buildLink();
      const other = buildLink({ subject: 'another', authenticator: 'company' });
      for (const each of [link, other]) assert.ok(await accountLinks.create(each));
      assert.deepEqual(await accountLinks.find(link.subject), link);
      assert.deepEqual(await accountLinks.listOfAccount('id of emma'), [other, link]);
      assert.deepEqual(await accountLinks.listOfAccount('id of finn'), []);
      assert.ok(await accountLinks.noteUse(link.subject, start + 1));
      assert.deepEqual(await accountLinks.find(link.subject), { ...link, lastUsed: start + 1 });
      assert.ok(!(await accountLinks.delete('id of finn', 'google')));
      assert.ok(await accountLinks.delete('id of emma', 'google'));
      assert.ok(!(await accountLinks.delete('id of emma', 'google')));
      assert.ok(!(await accountLinks.noteUse(link.subject, start)));
      assert.equal(await accountLinks.find(link.subject), undefined);
    }),
  );

  it(
    'links a person to one account, of many that ask at once',
    withStore(openStore, async ({ accountLinks, transact }) => {
      const tries = Array.from({ length: 10 }, (_, index) => {
        const link = buildLink({ accountId: `id ${index}` });
        return index % 2 === 0
          ? accountLinks.create(link)
          : transact((stores) => stores.accountLinks.create(link));
      });
      assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
    }),
  );

  it(
    'links an account to one person of an authenticator, of many that ask at once',
    withStore(openStore, async ({ accountLinks, transact }) => {
      const tries = Array.from({ length: 10 }, (_, index) => {
        const link = buildLink({ subject: `subject ${index}` });
        return index % 2 === 0
          ? accountLinks.create(link)
          : transact((stores) => stores.accountLinks.create(link));
      });
      assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
      assert.equal((await accountLinks.listOfAccount('id of emma')).length, 1);
    }),
  );

  it(
    'removes the links of an account that is deleted, and of no other',
    withStore(openStore, async ({ accounts, accountLinks }) => {
      await accounts.create(buildAccount());
      const other = buildLink({ accountId: 'id of finn', subject: 'of finn' });
      for (const link of [buildLink(), other]) await accountLinks.create(link);
      await accounts.delete('emma', start);
      assert.equal(await accountLinks.find(buildLink().subject), undefined);
      assert.deepEqual(await accountLinks.find('of finn'), other);
    }),
  );
}
