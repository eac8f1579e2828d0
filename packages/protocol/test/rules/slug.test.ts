import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { slugCandidates } from '../../src/rules/slug.ts';

function first(count: number, name: string): string[] {
  const candidates = slugCandidates(name, 'client');
  return Array.from({ length: count }, () => candidates.next().value);
}

describe('identifiers made from a name', () => {
  const slugs = {
    'My Great App': 'my-great-app',
    'a_b-c 9': 'a_b-c-9',
    'a  b': 'a--b',
    'Café "x"/<y>': 'caf-xy',
    'tab\tand\nline': 'tabandline',
    日本: 'client',
    '注文 API': 'api',
    'Мой сервис': 'client',
    '- dash': 'dash',
    '--database': 'database',
    '_internal_ ': 'internal',
    ' orders (new) ': 'orders-new',
    '-_-': 'client',
    '': 'client',
  };
  for (const [name, slug] of Object.entries(slugs)) {
    it(`${JSON.stringify(name)} becomes ${slug}`, () => assert.deepEqual(first(1, name), [slug]));
  }

  it('get 2, 3, … appended when taken', () => {
    assert.deepEqual(first(4, 'My App'), ['my-app', 'my-app2', 'my-app3', 'my-app4']);
    assert.deepEqual(first(2, '☃'), ['client', 'client2']);
  });

  it('hold nothing but a-z 0-9 _ -, begin and end with a letter or digit, and never repeat', () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        const candidates = first(12, name);
        for (const candidate of candidates) assert.match(candidate, /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/);
        assert.equal(new Set(candidates).size, 12);
      }),
    );
  });
});
