import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PersonLink } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

const expires = start + 1000;

/** @param number of the link: links with greater numbers are made later */
function buildLink(number: number, overrides: Partial<PersonLink> = {}): PersonLink {
  return {
    id: `019aa000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    purpose: 'reset_password',
    digest: new Uint8Array(32).fill(number),
    accountId: 'id of emma',
    address: 'émma@example.org',
    data: `sealed "✓" ${number}`,
    creationDate: start,
    expires,
    ...overrides,
  };
}

export function personLinkRules(openStore: OpenStore): void {
  it(
    'returns a link as it was stored, until it expires',
    withStore(openStore, async ({ personLinks }) => {
      const { accountId: _, ...pending } = buildLink(2, { purpose: 'sign_up', address: '' });
      const links = [buildLink(1), pending];
      for (const link of links) await personLinks.create(link);
      for (const link of links) {
        const { digest, ...found } = (await personLinks.find(link.id, expires - 1)) ?? buildLink(9);
        assert.deepEqual({ ...found, digest: new Uint8Array(digest) }, link);
        assert.equal(await personLinks.find(link.id, expires), undefined);
      }
      assert.equal(await personLinks.find(buildLink(3).id, start), undefined);
    }),
  );

  it(
    'lists the links of one purpose in the order in which they were made, expired or not',
    withStore(openStore, async ({ personLinks }) => {
      for (const number of [3, 1, 2]) await personLinks.create(buildLink(number, { purpose: 'invitation' }));
      await personLinks.create(buildLink(4, { expires: start - 1, purpose: 'invitation' }));
      await personLinks.create(buildLink(5));
      const numbers = async (after?: string, limit = 9) =>
        (await personLinks.list({ purpose: 'invitation', after, limit })).map(({ id }) =>
          Number(id.slice(-2)),
        );
      assert.deepEqual(await numbers(), [1, 2, 3, 4]);
      assert.deepEqual(await numbers(buildLink(1).id, 2), [2, 3]);
    }),
  );

  it(
    'lists the links of one account, for whatever purpose',
    withStore(openStore, async ({ personLinks }) => {
      await personLinks.create(buildLink(1));
      await personLinks.create(buildLink(2, { purpose: 'change_address' }));
      await personLinks.create(buildLink(3, { accountId: 'id of finn' }));
      const { accountId: _, ...pending } = buildLink(4);
      await personLinks.create(pending);
      const listed = await personLinks.list({ accountId: 'id of emma', limit: 9 });
      assert.deepEqual(
        listed.map(({ id }) => id),
        [buildLink(1).id, buildLink(2).id],
      );
    }),
  );

  it(
    'lets one of many callers redeem a link, and nobody once it has expired',
    withStore(openStore, async ({ personLinks, transact }) => {
      const [once, late] = [buildLink(1), buildLink(2)];
      for (const link of [once, late]) await personLinks.create(link);
      const tries = Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? personLinks.redeem(once.id, start)
          : transact((stores) => stores.personLinks.redeem(once.id, start)),
      );
      assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
      assert.equal(await personLinks.find(once.id, start), undefined);
      assert.ok(!(await personLinks.redeem(late.id, expires)));
    }),
  );

  it(
    'does not redeem a link in a transaction that fails',
    withStore(openStore, async ({ personLinks, transact }) => {
      const link = buildLink(1);
      await personLinks.create(link);
      const failed = transact(async (stores) => {
        assert.ok(await stores.personLinks.redeem(link.id, start));
        await stores.personLinks.create(buildLink(2));
        throw new Error('no');
      });
      await assert.rejects(failed, /^Error: no$/);
      assert.notEqual(await personLinks.find(link.id, start), undefined);
      assert.equal(await personLinks.find(buildLink(2).id, start), undefined);
    }),
  );

  it(
    'counts as many codes for a link as it may have, also concurrent ones',
    withStore(openStore, async ({ personLinks }) => {
      const [guessed, other] = [buildLink(1), buildLink(2)];
      for (const link of [guessed, other]) await personLinks.create(link);
      const guesses = Array.from({ length: 12 }, () => personLinks.countCode(guessed.id, start, 5));
      assert.equal((await Promise.all(guesses)).filter(Boolean).length, 5);
      assert.ok(await personLinks.countCode(other.id, start, 5));
      assert.ok(!(await personLinks.countCode(other.id, expires, 5)));
      assert.ok(!(await personLinks.countCode(buildLink(3).id, start, 5)));
      assert.notEqual(await personLinks.find(guessed.id, start), undefined);
    }),
  );

  it(
    'ends the links of an account, those for one purpose, or all when the account is deleted',
    withStore(openStore, async ({ accounts, personLinks }) => {
      await accounts.create(buildAccount());
      const links = [
        buildLink(1),
        buildLink(2, { purpose: 'change_address' }),
        buildLink(3, { accountId: 'id of finn' }),
      ];
      for (const link of links) await personLinks.create(link);
      const left = async () =>
        (await Promise.all(links.map(({ id }) => personLinks.find(id, start)))).map(
          (link) => link !== undefined,
        );
      assert.equal(await personLinks.endOfAccount('id of emma', 'reset_password'), 1);
      assert.deepEqual(await left(), [false, true, true]);
      await accounts.delete('emma', start);
      assert.deepEqual(await left(), [false, false, true]);
      assert.equal(await personLinks.endOfAccount('id of nobody'), 0);
    }),
  );
}
