import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoint, type Style } from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import createClient, { createQuerySerializer } from 'openapi-fetch';

const queryOf = (style: Style, parameters: Record<string, unknown>) =>
  endpoint('GET /x', { style }, parameters).url.replace('https://api.github.com/x', '');

const color = { color: ['blue', 'black', 'brown'] };
const rgb = { color: { R: 100, G: 200, B: 150 } };

test('lists and objects stand in the query as in the examples of OpenAPI 3.1', () => {
  assert.equal(queryOf({}, color), '?color=blue,black,brown');
  assert.equal(queryOf({ arrays: 'comma' }, color), '?color=blue,black,brown');
  assert.equal(queryOf({ arrays: 'repeat' }, color), '?color=blue&color=black&color=brown');
  assert.equal(queryOf({ objects: 'form' }, rgb), '?color=R,100,G,200,B,150');
  assert.equal(queryOf({ objects: 'deepObject' }, rgb), '?color[R]=100&color[G]=200&color[B]=150');
});

test('lists have brackets or indices where a server asks for them', () => {
  assert.equal(queryOf({ arrays: 'brackets' }, { a: ['x y', 2] }), '?a[]=x%20y&a[]=2');
  assert.equal(queryOf({ arrays: 'indices' }, { a: ['x', null, 'z'] }), '?a[0]=x&a[2]=z');
  assert.equal(queryOf({ arrays: 'brackets' }, { 'a&b': ['='] }), '?a%26b[]=%3D');
});

test('what is inside of a list or an object has the same style', () => {
  const deep = { f: { name: 'x', ids: [1, 2], 'a]': { b: true } } };
  assert.equal(
    queryOf({ objects: 'deepObject', arrays: 'repeat' }, deep),
    '?f[name]=x&f[ids]=1&f[ids]=2&f[a%5D][b]=true',
  );
  assert.equal(queryOf({ objects: 'deepObject' }, deep), '?f[name]=x&f[ids]=1,2&f[a%5D][b]=true');
  assert.equal(queryOf({ objects: 'deepObject', arrays: 'indices' }, { a: [{ b: 1 }] }), '?a[0][b]=1');
  assert.equal(
    queryOf({ arrays: 'repeat' }, { a: [[1, 2], { b: 1 }] }),
    '?a=%5B1%2C2%5D&a=%7B%22b%22%3A1%7D',
  );
});

test('sets, maps, dates and entries have the style of what they stand for', () => {
  const style: Style = { arrays: 'repeat', objects: 'deepObject' };
  assert.equal(queryOf(style, { a: new Set([1, 2]) }), '?a=1&a=2');
  assert.equal(queryOf(style, { a: new Map([['b', 1]]) }), '?a[b]=1');
  assert.equal(queryOf(style, { a: new URLSearchParams('b=1&b=2') }), '?a[b]=1&a[b]=2');
  assert.equal(queryOf(style, { a: new Date(0) }), '?a=1970-01-01T00%3A00%3A00.000Z');
  for (const a of [[], {}, [null], new Set(), { b: undefined }]) assert.equal(queryOf(style, { a }), '');
  assert.throws(() => queryOf(style, { a: [Promise.resolve()] }), { code: 'INVALID_VALUE' });
});

test('a single parameter can have a style of its own, and defaults add up', () => {
  const e = endpoint.defaults({ style: { arrays: 'repeat', parameters: { ids: { arrays: 'comma' } } } });
  assert.equal(
    e.url('GET /x', { ids: [1, 2], tags: ['a', 'b'] }),
    'https://api.github.com/x?ids=1,2&tags=a&tags=b',
  );
  const more = e.defaults({ style: { objects: 'deepObject', parameters: { tags: { arrays: 'brackets' } } } });
  assert.equal(
    more.url('GET /x', { ids: [1, 2], tags: ['a'], n: [3, 4], o: { p: 1 } }),
    'https://api.github.com/x?ids=1,2&tags[]=a&n=3&n=4&o[p]=1',
  );
  assert.deepEqual(more(more.merge('GET /x', { n: [3, 4] })), more('GET /x', { n: [3, 4] }));
});

test('an expression of the template has the style that it says', () => {
  assert.equal(
    endpoint.url('GET /x{?a,b*}', { style: { arrays: 'repeat' }, a: [1, 2], b: [3, 4] }),
    'https://api.github.com/x?a=1,2&b=3&b=4',
  );
});

test('an unknown style is an error', () => {
  for (const style of [
    { arrays: 'pipes' },
    { array: 'comma' },
    { parameters: { a: { objects: 'x' } } },
    'bold',
  ]) {
    assert.throws(() => endpoint('GET /x', { style: style as never }), { code: 'INVALID_OPTION' });
  }
});

/** What openapi-fetch calls our styles. */
const ARRAYS = {
  comma: { style: 'form', explode: false },
  repeat: { style: 'form', explode: true },
} as const;
const OBJECTS = {
  form: { style: 'form', explode: false },
  deepObject: { style: 'deepObject', explode: true },
} as const;

const named = fc.stringMatching(/^[\w.~-]{1,6}$/).filter((name) => name !== '__proto__');
const primitive = fc.oneof(anyText(), fc.integer(), fc.double({ noNaN: true }), fc.boolean());
const parameter = fc.oneof(
  primitive,
  fc.array(primitive, { maxLength: 4 }),
  fc.dictionary(named, primitive, { minKeys: 1, maxKeys: 4 }),
);

describe('openapi-fetch', () => {
  for (const arrays of ['comma', 'repeat'] as const) {
    for (const objects of ['form', 'deepObject'] as const) {
      test(`makes the same query of lists with ${arrays} and objects with ${objects}`, () => {
        const serialize = createQuerySerializer({ array: ARRAYS[arrays], object: OBJECTS[objects] });
        fc.assert(
          fc.property(fc.dictionary(named, parameter, { maxKeys: 4 }), (parameters) => {
            const query = serialize(parameters);
            // RFC 6570 encodes what encodeURIComponent leaves; no server reads them differently.
            const expected = query.replace(
              /[!'()*]/g,
              (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
            );
            assert.equal(queryOf({ arrays, objects }, parameters), expected && `?${expected}`);
          }),
          { numRuns: rounds(100, 20_000) },
        );
      });
    }
  }

  test('sends the same URL by default as the styles repeat and deepObject', async () => {
    const sent: string[] = [];
    const client = createClient<Record<string, Record<'get', object>>>({
      baseUrl: 'https://api.github.com',
      fetch: async ({ url }) => {
        sent.push(url);
        return new Response('{}');
      },
    });
    const query = { color: ['blue', 'black'], size: { R: 100, G: 'x y' }, page: 2, no: undefined, none: [] };
    await client.GET('/x', { params: { query } });
    const style: Style = { arrays: 'repeat', objects: 'deepObject' };
    assert.deepEqual(sent, [endpoint.url('GET /x', { style }, query)]);
  });

  for (const [what, style, parameters, ours, theirs] of [
    ['names that need encoding', {}, { 'a&b': 1 }, '?a%26b=1', 'a&b=1'],
    ['null in a list', { arrays: 'repeat' }, { a: [1, null, 2] }, '?a=1&a=2', 'a=1&&a=2'],
    ['null in an object', { objects: 'deepObject' }, { a: { b: null, c: 1 } }, '?a[c]=1', '&a[c]=1'],
    ['an object without members', { objects: 'deepObject' }, { a: {}, b: 1 }, '?b=1', '&b=1'],
    ['what is deeper', { objects: 'deepObject' }, { a: { b: { c: 1 } } }, '?a[b][c]=1', undefined],
    ['sets', { arrays: 'repeat' }, { a: new Set([1]) }, '?a=1', ''],
    ['dates', {}, { a: new Date(0) }, '?a=1970-01-01T00%3A00%3A00.000Z', ''],
  ] as const) {
    test(`loses or breaks ${what}, which have their meaning here`, () => {
      assert.equal(queryOf(style, parameters), ours);
      const serialize = () => createQuerySerializer()(parameters as Record<string, unknown>);
      if (theirs === undefined) assert.throws(serialize, /not? supported|aren.t supported/);
      else assert.equal(serialize(), theirs);
    });
  }
});

test('a pair in a repeated list is a member of it like any other list: JSON', () => {
  const repeated = endpoint.defaults({ style: { arrays: 'repeat' } });
  assert.equal(
    repeated.url('GET /x', { a: [['b', 'c'], 'd'] }),
    'https://api.github.com/x?a=%5B%22b%22%2C%22c%22%5D&a=d',
  );
});
