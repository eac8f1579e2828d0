import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SealingKey } from '@watchword/protocol';
import { start } from '../grants/granted.ts';
import type { OpenStore, StoreUnderTest } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

function key(id: string, creationDate: number): SealingKey {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => (creationDate + 8 * index) % 256);
  return { id, key: bytes, creationDate };
}

async function ids({ sealingKeys }: StoreUnderTest): Promise<string[]> {
  return (await sealingKeys.list()).map(({ id }) => id);
}

export function sealingKeyRules(openStore: OpenStore): void {
  it(
    'has no key at first',
    withStore(openStore, async ({ sealingKeys }) => {
      assert.deepEqual(await sealingKeys.list(), []);
    }),
  );

  it(
    'returns every byte of a key',
    withStore(openStore, async ({ sealingKeys }) => {
      const stored = key('A-_z09', start);
      await sealingKeys.rotate(stored, 0);
      const [found] = await sealingKeys.list();
      assert.deepEqual(found && { ...found, key: [...found.key] }, { ...stored, key: [...stored.key] });
    }),
  );

  it(
    'lists keys newest first, in any order of insertion',
    withStore(openStore, async (store) => {
      for (const [id, age] of [
        ['b', 2],
        ['c', 1],
        ['a', 3],
      ] as const) {
        await store.sealingKeys.rotate(key(id, start - age), 0);
      }
      assert.deepEqual(await ids(store), ['c', 'b', 'a']);
    }),
  );

  it(
    'removes the keys that were created before the given time when a new key is stored, and no others',
    withStore(openStore, async (store) => {
      await store.sealingKeys.rotate(key('old', start - 1), 0);
      await store.sealingKeys.rotate(key('edge', start), 0);
      await store.sealingKeys.rotate(key('new', start + 1), start);
      assert.deepEqual(await ids(store), ['new', 'edge']);
    }),
  );

  it(
    'has one other key after all were renewed',
    withStore(openStore, async (store) => {
      for (const id of ['a', 'b']) await store.sealingKeys.rotate(key(id, start), 0);
      const digestKey = new Uint8Array(32).fill(7);
      await store.transact(({ keyRenewal }) => keyRenewal.renew(key('c', start), digestKey));
      assert.deepEqual(await ids(store), ['c']);
    }),
  );

  it(
    'keeps all keys that are stored concurrently',
    withStore(openStore, async (store) => {
      const stored = Array.from({ length: 10 }, (_, index) => key(`k${index}`, start + index));
      await Promise.all(stored.map((each) => store.sealingKeys.rotate(each, 0)));
      assert.deepEqual(await ids(store), stored.map(({ id }) => id).toReversed());
    }),
  );
}
