import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@watchword/testkit';
import fc from 'fast-check';
import { shardNumber, timeOrderedId } from '../../src/rules/time-ordered-id.ts';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const anyTime = fc.nat({ max: 2 ** 48 - 1 });

describe('a time-ordered id', () => {
  it('is a UUIDv7 that names a random shard', () => {
    const random = seededRandom();
    const ids = Array.from({ length: 1000 }, () => timeOrderedId(0, random));
    for (const id of ids) assert.match(id, uuidV7);
    // Of 1000 draws out of 4096, about 887 differ.
    assert.ok(new Set(ids.map(shardNumber)).size > 800);
  });

  it('names the shard of the id that it belongs to, at any time', () => {
    fc.assert(
      fc.property(fc.string(), anyTime, anyTime, (seed, before, now) => {
        const random = seededRandom(seed);
        const grantId = timeOrderedId(before, random);
        const id = timeOrderedId(now, random, grantId);
        assert.match(id, uuidV7);
        assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), now);
        assert.equal(shardNumber(id), shardNumber(grantId));
        assert.equal(shardNumber(id), Number.parseInt(id.replaceAll('-', '').slice(12, 16), 16) & 0x0fff);
        assert.notEqual(id.slice(19), grantId.slice(19));
      }),
    );
  });

  it('is ordered by its time alone where the shards differ', () => {
    const random = seededRandom();
    const grants = Array.from({ length: 50 }, () => timeOrderedId(0, random));
    const ids = grants.map((grantId, time) => timeOrderedId(time, random, grantId));
    assert.deepEqual(ids.toSorted(), ids);
  });
});
