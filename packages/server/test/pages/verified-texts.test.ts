import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SigningKey } from '@watchword/protocol';
import { VerifiedTexts } from '../../src/signing/token-signer.ts';

const key = { kid: 'a', algorithm: 'ES256' } as SigningKey;

describe('texts whose signatures were verified', () => {
  it('are known with their key, each text by itself', () => {
    const texts = new VerifiedTexts();
    assert.equal(texts.keyOf('eyJ.a.b'), undefined);
    texts.add('eyJ.a.b', key);
    assert.equal(texts.keyOf('eyJ.a.b'), key);
    for (const other of ['eyJ.a.c', 'eyJ.a.b ', 'eyJ.a', '']) assert.equal(texts.keyOf(other), undefined);
  });

  it('are forgotten in the order of their last use when there are too many', () => {
    const texts = new VerifiedTexts(2);
    texts.add('a', key);
    texts.add('b', key);
    texts.keyOf('a');
    texts.add('c', key);
    assert.deepEqual(
      ['a', 'b', 'c'].map((text) => texts.keyOf(text) !== undefined),
      [true, false, true],
    );
  });
});
