import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { derivedKey } from '../../src/keys/derived-key.ts';

const hexOf = (key: Uint8Array) => Buffer.from(key).toString('hex');

describe('a derived key', () => {
  it('is the digest of counter, secret and context, as others compute it', () => {
    const expected = '6d5ff29a7883f2482d938d68a26431e83d01ec836db1b6de1b106d9923243b09';
    assert.equal(hexOf(derivedKey('s'.repeat(74), 'context')), expected);
  });

  it('is another one for another context or another secret', () => {
    const keys = [
      derivedKey('s'.repeat(74), 'context'),
      derivedKey('s'.repeat(74), 'purpose'),
      derivedKey('t'.repeat(74), 'context'),
    ];
    assert.equal(new Set(keys.map(hexOf)).size, 3);
  });
});
