import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

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
