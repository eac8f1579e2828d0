import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LruMap } from '../../src/lookup/token-cache.ts';

const keys = fc.constantFrom(...'abcdefgh');
const operations = fc.array(fc.tuple(fc.constantFrom('get', 'set', 'delete'), keys), { maxLength: 60 });

describe('the map of bounded size', () => {
  it('behaves like a searched list after any sequence of operations', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), operations, (maxEntries, done) => {
        const map = new LruMap<number>(maxEntries);
        // The last is what was used last.
        let model: [string, number][] = [];
        done.forEach(([operation, key], index) => {
          const found = model.find(([name]) => name === key);
          const others = model.filter(([name]) => name !== key);
          if (operation === 'get') {
            assert.equal(map.get(key), found?.[1]);
            model = found ? [...others, found] : others;
          } else if (operation === 'set') {
            map.set(key, index);
            model = [...others, [key, index] as [string, number]].slice(-maxEntries);
          } else {
            map.delete(key);
            model = others;
          }
          assert.equal(map.size, model.length);
        });
        for (const [key, value] of model) assert.equal(map.get(key), value);
      }),
    );
  });
});
