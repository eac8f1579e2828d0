import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenFactory } from '@watchword/testkit';
import fc from 'fast-check';
import { idFromBytes, idToBytes, leastIdAt } from '../../src/hot/token-id.ts';

describe('a token id', () => {
  it('is 16 bytes in the database and the same text when it is read', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const bytes = idToBytes(id);
        assert.equal(bytes.length, 16);
        assert.equal(idFromBytes(bytes), id);
      }),
    );
  });

  it('is at or above the least id of its timestamp, and below that of the next', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 47 }), fc.string(), (creationDate, seed) => {
        const bytes = idToBytes(tokenFactory(seed)({ creationDate }).id);
        assert.ok(Buffer.compare(leastIdAt(creationDate), bytes) <= 0);
        assert.ok(Buffer.compare(bytes, leastIdAt(creationDate + 1)) < 0);
      }),
    );
  });
});
