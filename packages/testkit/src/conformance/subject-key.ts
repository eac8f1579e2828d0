import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OpenStore } from './store-conformance.ts';
import { withStore } from './with-store.ts';

export function subjectKeyRules(openStore: OpenStore): void {
  it(
    'the key of all subjects is there from the first, has 32 bytes and stays the same',
    withStore(openStore, async ({ subjectKey }) => {
      const key = await subjectKey.read();
      assert.equal(key.byteLength, 32);
      assert.deepEqual(Buffer.from(await subjectKey.read()), Buffer.from(key));
    }),
  );
}
