import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SealingKey, SigningKey } from '@watchword/protocol';
import { buildSigningKey } from '../../builders/signing-key.ts';
import { start } from '../grants/granted.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';

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
        buildSigningKey('c', {
          privateKey: { reference: 'arn:key/1' },
          retiredAt: start + 5,
          signsFrom: start + 4,
        }),
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
      await insert(
        store,
        buildSigningKey('b'),
        buildSigningKey('d', { signsFrom: start - 1 }),
        buildSigningKey('c'),
        buildSigningKey('a'),
      );
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
      const made = Array.from({ length: 8 }, (_, index) =>
        buildSigningKey('same', { signsFrom: start + index }),
      );
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
      const update = buildSigningKey('a', {
        ...changed,
        privateKey: undefined,
        publicKey: {},
        algorithm: 'RS256',
      });
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

export function subjectKeyRules(openStore: OpenStore): void {
  it(
    'has a key of subjects of 32 bytes from the start, which never changes',
    withStore(openStore, async ({ subjectKey }) => {
      const key = await subjectKey.read();
      assert.equal(key.byteLength, 32);
      assert.deepEqual(Buffer.from(await subjectKey.read()), Buffer.from(key));
    }),
  );
}
