import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SessionLink } from '@watchword/protocol';
import { start } from '../grants/granted.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

const link = (sessionId: string, key: string): SessionLink => ({
  sessionId,
  key,
  data: `{"of":"${sessionId}"}`,
  expires: start + 1000,
});

export function sessionLinkRules(openStore: OpenStore): void {
  it(
    'finds a link by its session, and all links of a key by the key',
    withStore(openStore, async ({ sessionLinks }) => {
      const links = [link('1', 'a'), link('2', 'a'), link('3', 'A')];
      for (const each of links) await sessionLinks.insert(each);
      assert.deepEqual(await sessionLinks.find('2'), links[1]);
      assert.equal(await sessionLinks.find('4'), undefined);
      const ofKey = await sessionLinks.findByKey('a');
      assert.deepEqual(ofKey.map(({ sessionId }) => sessionId).toSorted(), ['1', '2']);
      assert.deepEqual(await sessionLinks.findByKey('b'), []);
    }),
  );

  it(
    'replaces the link of a session',
    withStore(openStore, async ({ sessionLinks }) => {
      for (const each of [link('1', 'a'), link('2', 'a'), link('1', 'b')]) await sessionLinks.insert(each);
      assert.deepEqual(await sessionLinks.find('1'), link('1', 'b'));
      assert.deepEqual(await sessionLinks.findByKey('a'), [link('2', 'a')]);
      assert.deepEqual(await sessionLinks.findByKey('b'), [link('1', 'b')]);
    }),
  );

  it(
    'removes a deleted link and no other',
    withStore(openStore, async ({ sessionLinks }) => {
      for (const each of [link('1', 'a'), link('2', 'a')]) await sessionLinks.insert(each);
      await sessionLinks.delete('1');
      await sessionLinks.delete('1');
      assert.equal(await sessionLinks.find('1'), undefined);
      assert.deepEqual(await sessionLinks.findByKey('a'), [link('2', 'a')]);
    }),
  );
}
