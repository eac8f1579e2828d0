import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SigningKey } from '@watchword/protocol';
import { buildSigningKey } from '../../builders/signing-key.ts';
import { start } from '../grants/granted.ts';
import type { OpenStore, StoreUnderTest } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

function insert(store: StoreUnderTest, ...keys: readonly SigningKey[]): Promise<boolean[]> {
  return store.transact(({ signingKeys }) => Promise.all(keys.map((each) => signingKeys.insert(each))));
}

export function signingKeyRules(openStore: OpenStore): void {
  it(
    'has no signing key at first',
    withStore(openStore, async ({ signingKeys }) => {
      assert.deepEqual(await signingKeys.list(), []);
    }),
  );

  it(
    'returns every member of a key, wherever its private half is',
    withStore(openStore, async (store) => {
      const keys = [
        buildSigningKey('c', { privateKey: { reference: 'arn:key/1' }, retiredAt: start + 5, signsFrom: start + 4 }),
        buildSigningKey('b', { privateKey: undefined, compromisedAt: start + 3, signsFrom: start + 2 }),
        buildSigningKey('a', { publishedAt: start - 1 }),
      ];
      await insert(store, ...keys);
      assert.deepEqual(await store.signingKeys.list(), keys);
    }),
  );

  it(
    'lists the key that signs last first, in any order of insertion',
    withStore(openStore, async (store) => {
      await insert(store, buildSigningKey('b'), buildSigningKey('d', { signsFrom: start - 1 }), buildSigningKey('c'), buildSigningKey('a'));
      const listed = await store.signingKeys.list();
      assert.deepEqual(
        listed.map(({ kid }) => kid),
        ['c', 'b', 'a', 'd'],
      );
    }),
  );

  it(
    'stores one of the keys that are inserted with the same kid at the same time',
    withStore(openStore, async (store) => {
      const made = Array.from({ length: 8 }, (_, index) => buildSigningKey('same', { signsFrom: start + index }));
      const results = await Promise.all(made.map((each) => insert(store, each)));
      assert.deepEqual(results.flat().filter(Boolean), [true]);
      assert.deepEqual(await store.signingKeys.list(), [made[results.flat().indexOf(true)]]);
    }),
  );

  it(
    'changes times and private half of a key, and never its public half',
    withStore(openStore, async (store) => {
      await insert(store, buildSigningKey('a'), buildSigningKey('b'));
      const changed = { signsFrom: start + 1, retiredAt: start + 2, compromisedAt: start + 3 };
      const update = buildSigningKey('a', { ...changed, privateKey: undefined, publicKey: {}, algorithm: 'RS256' });
      await store.transact(({ signingKeys }) => signingKeys.update(update));
      assert.deepEqual(await store.signingKeys.list(), [
        buildSigningKey('a', { ...changed, privateKey: undefined }),
        buildSigningKey('b'),
      ]);
    }),
  );

  it(
    'removes a key and no other',
    withStore(openStore, async (store) => {
      await insert(store, buildSigningKey('a'), buildSigningKey('b'));
      await store.transact(({ signingKeys }) => signingKeys.remove('a'));
      assert.deepEqual(await store.signingKeys.list(), [buildSigningKey('b')]);
    }),
  );

  it(
    'reverts the changes of a failed transaction',
    withStore(openStore, async (store) => {
      await insert(store, buildSigningKey('a'));
      const failed = store.transact(async ({ signingKeys }) => {
        await signingKeys.insert(buildSigningKey('b'));
        await signingKeys.remove('a');
        throw new Error('no');
      });
      await assert.rejects(failed, /^Error: no$/);
      assert.deepEqual(await store.signingKeys.list(), [buildSigningKey('a')]);
    }),
  );
}
