import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listed, quoted } from '../../src/model/quoted.ts';

describe('a text of a request in a reason', () => {
  it('has at most 100 characters', () => {
    const text = 'word '.repeat(20);
    assert.deepEqual([quoted(text), quoted(`${text}x`)], [`"${text}"`, `"${text}…"`]);
  });
});

describe('registered texts in a reason', () => {
  it('are the first five and the number of the others', () => {
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const lists = [0, 1, 5, 7].map((count) => listed(texts.slice(0, count)));
    assert.deepEqual(lists, ['none', 'a', 'a, b, c, d, e', 'a, b, c, d, e and 2 more']);
  });
});
