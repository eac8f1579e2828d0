import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { protocolError } from '@watchword/testkit';
import fc from 'fast-check';
import { formatScope, isScopeToken } from '../../src/model/scope.ts';
import { grantScopes, parseScope, remainingScopes } from '../../src/rules/scope.ts';

const spaces = { commaSeparated: false };
const commas = { commaSeparated: true };
const many = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`).join(' ');

describe('the scope parameter', () => {
  it('is scope tokens separated by spaces', () => {
    assert.deepEqual(parseScope('read', spaces), ['read']);
    assert.deepEqual(parseScope('read write', spaces), ['read', 'write']);
    assert.deepEqual(parseScope("!#[]~'a:b/c.d", spaces), ["!#[]~'a:b/c.d"]);
  });

  it('can have more than one space between scopes, and spaces at the ends', () => {
    for (const scope of ['  a b', 'a b ', 'a   b', ' a  b  ']) {
      for (const syntax of [spaces, commas]) assert.deepEqual(parseScope(scope, syntax), ['a', 'b'], scope);
    }
  });

  const malformed = ['', ' ', 'a"b', 'a\\b', 'a\tb', 'a\nb', 'a\x7f', 'é', 'a\u00a0b'];
  for (const scope of malformed) {
    it(`${JSON.stringify(scope)} is rejected`, () => {
      assert.throws(() => parseScope(scope, spaces), protocolError('invalid_scope'));
    });
  }

  it('names each token once, in the order of first mention, and keeps case apart', () => {
    assert.deepEqual(parseScope('b a b A a', spaces), ['b', 'a', 'A']);
  });

  it('has at most 100 tokens', () => {
    assert.equal(parseScope(many(100), spaces).length, 100);
    assert.throws(() => parseScope(many(101), spaces), protocolError('invalid_scope'));
    assert.throws(() => parseScope('a '.repeat(500_000), spaces), protocolError('invalid_scope'));
  });

  it('takes a comma for part of a token unless commas are switched on', () => {
    assert.deepEqual(parseScope('read,write', spaces), ['read,write']);
    assert.deepEqual(parseScope('read,write', commas), ['read', 'write']);
    assert.deepEqual(parseScope('read, write', commas), ['read', 'write']);
    assert.deepEqual(parseScope('read write', commas), ['read', 'write']);
    for (const scope of [',read', 'read,', ',', '"']) {
      assert.throws(() => parseScope(scope, commas), protocolError('invalid_scope'), scope);
    }
  });

  it('reads back what was formatted', () => {
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index));
    const token = fc
      .string({ unit: fc.constantFrom(...visible), minLength: 1 })
      .filter((text) => !/["\\]/.test(text));
    fc.assert(
      fc.property(fc.uniqueArray(token, { minLength: 1, maxLength: 100 }), (scopes) => {
        assert.ok(scopes.every(isScopeToken));
        assert.deepEqual(parseScope(formatScope(scopes), spaces), scopes);
      }),
    );
  });
});

describe('what is granted', () => {
  it('is all that is available when nothing was asked for', () => {
    assert.deepEqual(grantScopes(undefined, ['read', 'write']), ['read', 'write']);
    assert.deepEqual(grantScopes(undefined, []), []);
  });

  it('is what was asked for, in that order', () => {
    assert.deepEqual(grantScopes(['write', 'read'], ['read', 'write', 'admin']), ['write', 'read']);
  });

  it('is nothing when one scope is not available', () => {
    assert.throws(() => grantScopes(['read', 'admin'], ['read']), protocolError('invalid_scope'));
    assert.throws(() => grantScopes(['READ'], ['read']), protocolError('invalid_scope'));
    assert.throws(() => grantScopes(['constructor'], []), protocolError('invalid_scope'));
  });

  it('shrinks to what is still available', () => {
    assert.deepEqual(remainingScopes(['b', 'a'], ['a', 'b', 'c']), ['b', 'a']);
    assert.deepEqual(remainingScopes(['b', 'a'], ['a']), ['a']);
    assert.deepEqual(remainingScopes(['b', 'a'], []), []);
    const all = ['b', 'a'];
    assert.equal(remainingScopes(all, ['a', 'b']), all, 'the same list while nothing is lost');
  });
});
