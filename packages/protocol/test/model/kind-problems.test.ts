import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Kind, ValueOf } from '../../src/model/fields/kind.ts';
import { kindProblems } from '../../src/model/fields/kind-problems.ts';

const problems = <K extends Kind>(kind: K, value: ValueOf<K>) => [...kindProblems(kind, value)];

describe('a field without a check of its own', () => {
  it('keeps the length of a text, and rejects control characters', () => {
    assert.deepEqual(problems({ type: 'text', maxLength: 3 }, 'abc'), []);
    assert.deepEqual(problems({ type: 'text', maxLength: 3 }, 'abcd'), ['is longer than 3 characters']);
    assert.match(problems({ type: 'text' }, 'a\0')[0] ?? '', /control character/);
  });

  it('keeps the range of a number', () => {
    const kind = { type: 'wholeNumber', minimum: 1, maximum: 5 } as const;
    for (const value of [1, 5]) assert.deepEqual(problems(kind, value), []);
    for (const value of [0, 6, 1.5, Number.NaN]) {
      assert.deepEqual(problems(kind, value), ['is not a whole number from 1 to 5']);
    }
  });

  it('keeps the number of members, and the rules of texts for each', () => {
    const texts = { type: 'texts', maxItems: 2, maxLength: 3 } as const;
    assert.deepEqual(problems(texts, ['a', 'b']), []);
    assert.deepEqual(problems(texts, ['a', 'b', 'c']), ['are more than 2']);
    assert.deepEqual(problems(texts, ['abcd']), ['is longer than 3 characters']);
    assert.deepEqual(problems({ ...texts, maxItems: 9 }, ['a', 'b', 'c', 'd']), []);
    const scopes = { type: 'scopes', maxItems: 1, maxLength: 3 } as const;
    assert.deepEqual(problems(scopes, ['a']), []);
    assert.deepEqual(problems(scopes, ['a', 'abcd']), ['are more than 1', 'is longer than 3 characters']);
    const map = { type: 'textMap', maxMembers: 1 } as const;
    assert.deepEqual(problems(map, { a: 'b' }), []);
    assert.deepEqual(problems(map, { a: 'b', c: 'd' }), ['are more than 1']);
    assert.equal(problems(map, { 'a\0': 'b' }).length, 1);
  });

  it('takes only the values of a choice, and names them', () => {
    const kind = { type: 'choice', values: ['', 'ES256'] } as const;
    for (const value of kind.values) assert.deepEqual(problems(kind, value), []);
    assert.deepEqual(problems<Kind>(kind, 'none'), ['is "none", and must be one of: empty, ES256']);
  });

  it('takes both values of a flag', () => {
    for (const value of [true, false]) assert.deepEqual(problems({ type: 'flag' }, value), []);
  });
});
