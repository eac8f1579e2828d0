import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Branding } from '@watchword/protocol';
import { type OpenStore, withStore } from '../store-under-test.ts';

function made(productName: string): Branding {
  return {
    productName,
    logo: { type: 'image/png', content: 'iVBORw0KGgo=' },
    colours: { light: { accent: '#123456' }, dark: {} },
    texts: { de: { 'login.title': 'Grüß Gott' } },
  };
}

export function brandingRules(openStore: OpenStore): void {
  it(
    'returns every member, with a greater revision after each change',
    withStore(openStore, async (store) => {
      const { branding: reader } = store;
      assert.deepEqual([await reader.revision(), await reader.find()], [0, undefined]);
      let last = 0;
      for (const [name, time] of [
        ['First', 5],
        ['Second', 6],
      ] as const) {
        await store.transact(({ branding }) => branding.put(made(name), time));
        const found = await reader.find();
        assert.deepEqual([found?.branding, found?.modificationDate], [made(name), time]);
        assert.ok((found?.revision ?? 0) > last);
        assert.equal(await reader.revision(), found?.revision);
        last = found?.revision ?? 0;
      }
    }),
  );

  it(
    'keeps drafts apart from what pages show, until they are removed by their age',
    withStore(openStore, async (store) => {
      await store.transact(async ({ branding }) => {
        await branding.put(made('Shown'), 1);
        await branding.putDraft('a', made('A'), 2);
        await branding.putDraft('b', made('B'), 3);
      });
      await store.transact(({ branding }) => branding.removeDrafts(3));
      const names = await Promise.all(
        ['a', 'b', 'shown'].map(async (id) => (await store.branding.findDraft(id))?.branding.productName),
      );
      assert.deepEqual(names, [undefined, 'B', undefined]);
      assert.equal((await store.branding.find())?.branding.productName, 'Shown');
    }),
  );
}
