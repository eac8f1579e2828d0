import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HostRule } from '@watchword/protocol';
import { type OpenStore, withStore } from '../store-under-test.ts';

const blocked: HostRule = { pattern: 'b.example', effect: 'block', note: 'Phishing.', modificationDate: 5 };
const allowed: HostRule = { pattern: '*.a.example', effect: 'allow', note: '', modificationDate: 6 };

export function hostRuleRules(openStore: OpenStore): void {
  it(
    'has one rule for a pattern, the last one, in the order of the patterns',
    withStore(openStore, async (store) => {
      assert.deepEqual(await store.hostRules.list(), []);
      await store.transact(async ({ hostRules }) => {
        for (const rule of [blocked, allowed]) await hostRules.put(rule);
      });
      assert.deepEqual(await store.hostRules.list(), [allowed, blocked]);
      const replaced: HostRule = { ...blocked, effect: 'allow', note: 'Known.', modificationDate: 7 };
      await store.transact(async ({ hostRules }) => {
        await hostRules.put(replaced);
        assert.deepEqual(await hostRules.list(), [allowed, replaced]);
      });
      assert.deepEqual(await store.hostRules.list(), [allowed, replaced]);
    }),
  );

  it(
    'removes the rule of a pattern and no other, and nothing of a transaction that fails',
    withStore(openStore, async (store) => {
      await store.transact(async ({ hostRules }) => {
        for (const rule of [blocked, allowed]) await hostRules.put(rule);
      });
      const failure = new Error('stop');
      const failing = store.transact(async ({ hostRules }) => {
        assert.equal(await hostRules.remove(blocked.pattern), true);
        throw failure;
      });
      await assert.rejects(failing, failure);
      assert.deepEqual(await store.hostRules.list(), [allowed, blocked]);
      const removed = await store.transact(async ({ hostRules }) => [
        await hostRules.remove(blocked.pattern),
        await hostRules.remove(blocked.pattern),
      ]);
      assert.deepEqual(removed, [true, false]);
      assert.deepEqual(await store.hostRules.list(), [allowed]);
    }),
  );
}
