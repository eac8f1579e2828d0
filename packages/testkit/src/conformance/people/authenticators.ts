import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredAuthenticator } from '@watchword/protocol';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';

type Made = Omit<StoredAuthenticator, 'revision'>;

function made(name: string, fields: Partial<Made> = {}): Made {
  return {
    name,
    kind: 'saml',
    label: 'Ünïversity',
    enabled: true,
    settings: { metadataUrl: 'https://idp.example/metadata', groupsFrom: ['a', 'b'], signed: false },
    creationDate: 5,
    modificationDate: 5,
    ...fields,
  };
}

function insert(store: StoreUnderTest, ...all: readonly Made[]): Promise<boolean[]> {
  return store.transact(async ({ storedAuthenticators: authenticators }) => {
    const inserted: boolean[] = [];
    for (const each of all) inserted.push(await authenticators.insert(each));
    return inserted;
  });
}

async function found(store: StoreUnderTest, name: string): Promise<Made | undefined> {
  const { revision, ...rest } = (await store.storedAuthenticators.find(name)) ?? { revision: 0, name: '' };
  return rest.name === '' ? undefined : (rest as Made);
}

export function authenticatorRules(openStore: OpenStore): void {
  it(
    'returns every member, and lists names in the order of creation',
    withStore(openStore, async (store) => {
      const all = [made('b'), made('a', { creationDate: 6, enabled: false, settings: {} }), made('aa')];
      assert.deepEqual(await insert(store, ...all), [true, true, true]);
      for (const each of all) assert.deepEqual(await found(store, each.name), each);
      const heads = await store.storedAuthenticators.heads();
      assert.deepEqual(
        heads.map(({ name }) => name),
        ['aa', 'b', 'a'],
      );
      assert.equal(await store.storedAuthenticators.find('c'), undefined);
    }),
  );

  it(
    'changes all but name, kind and creation date, with a greater revision',
    withStore(openStore, async (store) => {
      await insert(store, made('a'), made('b'));
      const before = await store.storedAuthenticators.find('a');
      const changes = { label: 'New', enabled: false, settings: { entityId: 'urn:x' }, modificationDate: 9 };
      const update = made('a', { ...changes, kind: 'other', creationDate: 9 });
      await store.transact(({ storedAuthenticators: authenticators }) => authenticators.update(update));
      assert.deepEqual(await found(store, 'a'), made('a', changes));
      assert.deepEqual(await found(store, 'b'), made('b'));
      const after = await store.storedAuthenticators.find('a');
      assert.ok((after?.revision ?? 0) > (before?.revision ?? 0));
    }),
  );

  it(
    'never gives a name to another authenticator, also after a deletion, or one that the configuration used',
    withStore(openStore, async (store) => {
      await insert(store, made('a'));
      await store.transact(async ({ storedAuthenticators: authenticators }) => {
        await authenticators.remove('a');
        await authenticators.useNames(['a', 'c']);
        await authenticators.useNames(['c']);
        await authenticators.useNames([]);
      });
      assert.deepEqual(await insert(store, made('a'), made('c'), made('d')), [false, false, true]);
      assert.equal(await store.storedAuthenticators.find('a'), undefined);
      assert.deepEqual(await store.storedAuthenticators.names(), [
        { name: 'a', origin: 'database' },
        { name: 'c', origin: 'configuration' },
        { name: 'd', origin: 'database' },
      ]);
    }),
  );

  it(
    'stores one of those that are inserted with the same name at the same time, and none of a failed transaction',
    withStore(openStore, async (store) => {
      const results = await Promise.all(
        Array.from({ length: 4 }, (_, index) => insert(store, made('same', { label: `${index}` }))),
      );
      assert.deepEqual(results.flat().filter(Boolean), [true]);
      const failed = store.transact(async ({ storedAuthenticators: authenticators }) => {
        await authenticators.insert(made('x'));
        throw new Error('no');
      });
      await assert.rejects(failed, /^Error: no$/);
      assert.deepEqual(await insert(store, made('x')), [true]);
    }),
  );
}
