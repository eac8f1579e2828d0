import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ClientRegistrationRecord, InitialToken } from '@watchword/protocol';
import { type OpenStore, withStore } from '../store-under-test.ts';

const registration = (clientRecordId: number, lastUsed = 0): ClientRegistrationRecord => ({
  clientRecordId,
  tokenDigest: new Uint8Array(32).fill(clientRecordId),
  creationDate: 5,
  lastUsed,
  initialTokenId: clientRecordId === 1 ? 'a' : undefined,
  claimedName: 'Tool ✓',
  applicationType: 'native',
});

const token = (id: string, maxClients: number): InitialToken => ({
  id,
  digest: new Uint8Array(32).fill(7),
  note: 'CI',
  creationDate: 5,
  expires: 0,
  maxClients,
  clients: 0,
});

export function clientRegistrationRules(openStore: OpenStore): void {
  it(
    'keeps what is known of a client that registered itself, and nothing of a transaction that fails',
    withStore(openStore, async (store) => {
      const [first, second] = [registration(1), registration(2)];
      await store.transact(({ clientRegistrations }) => clientRegistrations.create(first));
      const failure = new Error('stop');
      const failing = store.transact(async ({ clientRegistrations }) => {
        await clientRegistrations.create(second);
        assert.equal(await clientRegistrations.remove(1), true);
        throw failure;
      });
      await assert.rejects(failing, failure);
      const read = store.clientRegistrations;
      assert.deepEqual(
        await Promise.all([1, 2].map((id) => read.find(id).then((found) => found && plain(found)))),
        [plain(first), undefined],
      );
      await store.transact(async ({ clientRegistrations }) => {
        await clientRegistrations.update(1, { claimedName: 'Other', applicationType: 'web' });
        await clientRegistrations.markUsed(1, 50);
        await clientRegistrations.markUsed(1, 40);
      });
      const changed = { ...first, claimedName: 'Other', applicationType: 'web', lastUsed: 50 };
      const found = await read.find(1);
      assert.deepEqual(found && plain(found), plain(changed));
      const removed = await store.transact(async ({ clientRegistrations }) => [
        await clientRegistrations.remove(1),
        await clientRegistrations.remove(1),
      ]);
      assert.deepEqual([removed, await read.find(1)], [[true, false], undefined]);
    }),
  );

  it(
    'lists those that were not used since a time, and counts those that never were',
    withStore(openStore, async (store) => {
      await store.transact(async ({ clientRegistrations }) => {
        for (const [id, lastUsed] of [
          [3, 0],
          [1, 100],
          [4, 200],
          [2, 0],
        ] as const) {
          await clientRegistrations.create(registration(id, lastUsed));
        }
      });
      const idle = async (usedBefore: number, after = 0, limit = 10) =>
        (await store.clientRegistrations.listIdle({ usedBefore, after, limit })).map(
          ({ clientRecordId }) => clientRecordId,
        );
      assert.deepEqual(await idle(100), [2, 3]);
      assert.deepEqual(await idle(101), [1, 2, 3]);
      assert.deepEqual(await idle(201, 1, 2), [2, 3]);
      const { countUnused } = store.clientRegistrations;
      assert.deepEqual([await countUnused(10), await countUnused(1)], [2, 1]);
    }),
  );

  it(
    'counts the clients of an initial access token up to its limit, also of requests at the same time',
    withStore(openStore, async (store) => {
      const tokens = [token('b', 2), token('a', 0)];
      await store.transact(async ({ initialTokens }) => {
        for (const each of tokens) await initialTokens.create(each);
      });
      const count = (id: string) => store.transact(({ initialTokens }) => initialTokens.countClient(id));
      const counted = await Promise.all(Array.from({ length: 4 }, () => count('b')));
      assert.deepEqual(counted.filter(Boolean).length, 2);
      assert.deepEqual([await count('a'), await count('none')], [true, false]);
      const found = await store.initialTokens.list({ limit: 10 });
      assert.deepEqual(
        found.map(({ id, clients, maxClients, note }) => [id, clients, maxClients, note]),
        [
          ['a', 1, 0, 'CI'],
          ['b', 2, 2, 'CI'],
        ],
      );
      assert.deepEqual(
        (await store.initialTokens.list({ after: 'a', limit: 1 })).map(({ id }) => id),
        ['b'],
      );
      const removed = await store.transact(({ initialTokens }) => initialTokens.remove('a'));
      assert.deepEqual([removed, await store.initialTokens.find('a')], [true, undefined]);
      assert.deepEqual([...((await store.initialTokens.find('b'))?.digest ?? [])], Array(32).fill(7));
    }),
  );
}

/** Dialects read bytes as different kinds of arrays. */
function plain({ tokenDigest, ...others }: ClientRegistrationRecord) {
  return { ...others, tokenDigest: [...tokenDigest] };
}
