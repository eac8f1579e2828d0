import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OutgoingMail } from '@watchword/protocol';
import { buildAccount } from '../../builders/account.ts';
import { start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

/** @param number of the mail: it is due as many milliseconds after the start */
function buildMail(number: number): OutgoingMail {
  return {
    id: `019aa000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    kind: 'new_device',
    sealed: `sealed "✓" ${number}`,
    creationDate: start,
    expires: start + 1000,
    attempts: 0,
    nextAttempt: start + number,
  };
}

export function outgoingMailRules(openStore: OpenStore): void {
  it(
    'lists the mails that are due, those that wait longest first',
    withStore(openStore, async ({ outgoingMail }) => {
      for (const number of [3, 1, 2]) await outgoingMail.add(buildMail(number));
      const due = async (now: number, limit = 9) => await outgoingMail.listDue(now, limit);
      assert.deepEqual(await due(start), []);
      assert.deepEqual(await due(start + 2), [buildMail(1), buildMail(2)]);
      assert.deepEqual(await due(start + 3, 1), [buildMail(1)]);
      assert.deepEqual(await outgoingMail.waiting(), { count: 3, oldest: start });
    }),
  );

  it(
    'lets one of many callers claim an attempt, until its time is over',
    withStore(openStore, async ({ outgoingMail }) => {
      const mail = buildMail(1);
      await outgoingMail.add(mail);
      const claims = Array.from({ length: 10 }, () => outgoingMail.claim(mail, start + 500));
      assert.equal((await Promise.all(claims)).filter(Boolean).length, 1);
      assert.deepEqual(await outgoingMail.listDue(start + 499, 9), []);
      const [again, ...others] = await outgoingMail.listDue(start + 500, 9);
      assert.deepEqual([again, ...others], [{ ...mail, nextAttempt: start + 500 }]);
      assert.ok(!(await outgoingMail.claim(mail, start + 900)));
    }),
  );

  it(
    'keeps a mail that could not be sent, and forgets one that was',
    withStore(openStore, async ({ outgoingMail }) => {
      const mails = [buildMail(1), buildMail(2)] as const;
      for (const mail of mails) await outgoingMail.add(mail);
      const next = { attempts: 1, nextAttempt: start + 700, sealed: 'sealed again' };
      await outgoingMail.postpone(mails[0], next);
      await outgoingMail.remove(mails[1]);
      assert.deepEqual(await outgoingMail.listDue(start + 700, 9), [{ ...mails[0], ...next }]);
      await outgoingMail.remove(mails[0]);
      assert.deepEqual(await outgoingMail.waiting(), { count: 0, oldest: undefined });
      await outgoingMail.postpone(mails[0], next);
      assert.deepEqual(await outgoingMail.waiting(), { count: 0, oldest: undefined });
    }),
  );

  it(
    'stores a mail with the change that it tells of, or not at all',
    withStore(openStore, async ({ outgoingMail, transact }) => {
      let calls = 0;
      outgoingMail.onDue(() => {
        calls += 1;
      });
      const failed = transact(async (stores) => {
        await stores.outgoingMail.add(buildMail(1));
        throw new Error('no');
      });
      await assert.rejects(failed, /^Error: no$/);
      assert.deepEqual(await outgoingMail.waiting(), { count: 0, oldest: undefined });
      calls = 0;
      await transact((stores) => stores.outgoingMail.add(buildMail(2)));
      assert.deepEqual(await outgoingMail.listDue(start + 2, 9), [buildMail(2)]);
      assert.equal(calls, 1);
    }),
  );

  it(
    'forgets with an account the mails that are of interest to it alone, also while an attempt is under way',
    withStore(openStore, async ({ accounts, outgoingMail }) => {
      const [emma, finn] = [buildAccount(), buildAccount({ id: 'id of finn', username: 'finn' })];
      for (const account of [emma, finn]) await accounts.create(account);
      const claimed = { ...buildMail(1), accountId: emma.id };
      const kept = [buildMail(3), { ...buildMail(4), accountId: finn.id }];
      for (const mail of [claimed, { ...buildMail(2), accountId: emma.id }, ...kept])
        await outgoingMail.add(mail);
      assert.ok(await outgoingMail.claim(claimed, start + 500));
      await accounts.delete('emma', start);
      await outgoingMail.postpone(claimed, { attempts: 1, nextAttempt: start, sealed: 'again' });
      await outgoingMail.remove(claimed);
      assert.deepEqual(await outgoingMail.listDue(start + 900, 9), kept);
    }),
  );
}
