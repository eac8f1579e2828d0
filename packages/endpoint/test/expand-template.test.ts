import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EndpointError, expandTemplate } from '@watchword/endpoint';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { SECTIONS, VARIABLES } from './support/rfc6570-examples.ts';

describe('RFC 6570', () => {
  for (const [section, vectors] of Object.entries(SECTIONS)) {
    test(section, () => {
      for (const [template, expected] of Object.entries(vectors)) {
        assert.equal(expandTemplate(template, VARIABLES), expected, template);
      }
    });
  }
});

test('a malformed template is an error that shows the malformed part', () => {
  for (const template of [
    '{',
    '}',
    'a}b',
    '{a',
    '{}',
    '{{a}}',
    '{a b}',
    '{a,}',
    '{,a}',
    '{=a}',
    '{!a}',
    '{|a}',
    '{@a}',
    '{a:0}',
    '{a:01}',
    '{a:10000}',
    '{a:x}',
    '{a*:3}',
    '{a.}',
    '{.a.}',
    '{a..b}',
    '{%zz}',
    '{a-b}',
  ]) {
    assert.throws(
      () => expandTemplate(template, VARIABLES),
      {
        name: 'EndpointError',
        code: 'INVALID_TEMPLATE',
        message: /^Expected an RFC 6570 template, got "/,
      },
      template,
    );
  }
});

test('a prefix of a list or an object is an error', () => {
  for (const template of ['{list:3}', '{+keys:1}', '{?keys:1}']) {
    assert.throws(() => expandTemplate(template, VARIABLES), {
      code: 'INVALID_VALUE',
      message: /text for \{/,
    });
  }
});

test('a list or an object of nothing is undefined, with a prefix too', () => {
  assert.equal(expandTemplate('x{a:3}{?b:1,c}', { a: [], b: { d: null }, c: 1 }), 'x?c=1');
});

test('a prefix counts characters, not halves of a surrogate pair', () => {
  assert.equal(expandTemplate('{x:1}{y:2}', { x: '𝄞stave', y: 12345 }), '%F0%9D%84%9E12');
});

test('numbers, booleans, dates and objects with toJSON are values', () => {
  const variables = {
    n: -1.5,
    big: 12n,
    yes: true,
    no: false,
    zero: 0,
    day: new Date(0),
    list: [1, null, new Date(0), undefined],
    none: [null],
  };
  assert.equal(expandTemplate('{n}{/big,yes,no,zero}', variables), '-1.5/12/true/false/0');
  assert.equal(
    expandTemplate('{?day,list,none}', variables),
    '?day=1970-01-01T00%3A00%3A00.000Z&list=1,1970-01-01T00%3A00%3A00.000Z',
  );
});

test('what lies deeper than RFC 6570 foresees goes as JSON', () => {
  assert.equal(expandTemplate('{?a*}', { a: { b: [1] } }), '?b=%5B1%5D');
});

test('half a surrogate pair becomes U+FFFD instead of an exception', () => {
  assert.equal(expandTemplate('{x}\ud800{+x}', { x: '\udc00' }), '%EF%BF%BD%EF%BF%BD%EF%BF%BD');
});

test('only own properties are variables', () => {
  assert.equal(expandTemplate('{constructor}{toString}{__proto__}{x}', Object.create({ x: 1 })), '');
  assert.equal(expandTemplate('{__proto__}', JSON.parse('{"__proto__":"x"}')), 'x');
});

const name = fc.stringMatching(/^[A-Za-z0-9_]{1,6}$/);
const modifier = fc.constantFrom('', '*');
const expression = fc
  .tuple(
    fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&'),
    fc.array(fc.tuple(name, modifier), { minLength: 1, maxLength: 3 }),
  )
  .map(([operator, variables]) => `{${operator}${variables.map((variable) => variable.join('')).join(',')}}`);
const literal = anyText().map((text) => text.replace(/[{}]/g, ''));
const template = fc.array(fc.oneof(literal, expression)).map((parts) => parts.join(''));

test('expansion never throws on valid templates, and yields URI characters only', () => {
  fc.assert(
    fc.property(template, fc.dictionary(name, fc.jsonValue()), (text, variables) => {
      assert.match(expandTemplate(text, variables), /^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/);
    }),
  );
});

test('a simple expression can be decoded to its value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      assert.equal(decodeURIComponent(expandTemplate('{value}', { value })), value);
    }),
  );
});

test('any template either expands or is an EndpointError', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '*', ':', ',', '+', '?', 'a', '1', '%', '.') }),
      (text) => {
        try {
          expandTemplate(text, { a: 'x' });
        } catch (error) {
          assert.ok(error instanceof EndpointError);
        }
      },
    ),
  );
});
