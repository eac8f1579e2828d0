import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint } from '@watchword/endpoint';

const BASE = 'https://api.github.com';

test('the query goes before the fragment and joins what is there', () => {
  for (const [route, url] of [
    ['/x', '/x?a=1'],
    ['/x?b=2', '/x?b=2&a=1'],
    ['/x?', '/x?a=1'],
    ['/x?b&', '/x?b&a=1'],
    ['/x#f', '/x?a=1#f'],
    ['/x?b#f?g', '/x?b&a=1#f?g'],
    ['/x#f?g', '/x?a=1#f?g'],
    ['/x{?b}', '/x?a=1'],
    ['/x{?a}', '/x?a=1'],
    ['/x{#a}', '/x#1'],
    ['/x/', '/x/?a=1'],
  ] as const) {
    assert.equal(endpoint(route, { a: 1 }).url, BASE + url, route);
  }
});

test('GET and HEAD put what no placeholder took into the query', () => {
  assert.equal(endpoint('HEAD /x/{a}', { a: 1, b: 2 }).url, `${BASE}/x/1?b=2`);
  assert.equal(endpoint('POST /x/{a}', { a: 1, b: 2 }).url, `${BASE}/x/1`);
});

test('values follow the form style of RFC 6570', () => {
  for (const [value, query] of [
    [['a', 'b c'], '?v=a,b%20c'],
    [{ a: 1, b: 'x y' }, '?v=a,1,b,x%20y'],
    [new Date(0), '?v=1970-01-01T00%3A00%3A00.000Z'],
    ['', '?v='],
    [0, '?v=0'],
    [false, '?v=false'],
    ['a&b=c#d', '?v=a%26b%3Dc%23d'],
    ['a+b', '?v=a%2Bb'],
    [null, ''],
    [undefined, ''],
    [[], ''],
    [{}, ''],
    [[null], ''],
    ['ü', '?v=%C3%BC'],
  ] as const) {
    assert.equal(endpoint('/x', { v: value }).url, `${BASE}/x${query}`, JSON.stringify(value));
  }
  assert.equal(endpoint('/x{?labels*}', { labels: ['a', 'b'] }).url, `${BASE}/x?labels=a&labels=b`);
});

test('names of query parameters are encoded', () => {
  assert.equal(endpoint('/x', { 'a[b]&c=#': 1 }).url, `${BASE}/x?a%5Bb%5D%26c%3D%23=1`);
});

test('a variable with a modifier is not sent twice', () => {
  assert.equal(
    endpoint('/x/{name:3}{?list*,name}', { name: 'abcdef', list: [1, 2] }).url,
    `${BASE}/x/abc?list=1&list=2&name=abcdef`,
  );
});

test('base URLs with a path, a trailing slash, or a query work', () => {
  for (const [baseUrl, route, url] of [
    ['https://x.example/api', '/a', 'https://x.example/api/a?p=1'],
    ['https://x.example/api/', '/a', 'https://x.example/api/a?p=1'],
    ['https://x.example/api/', 'a', 'https://x.example/api/a?p=1'],
    ['https://x.example', '{/none}', 'https://x.example?p=1'],
    ['https://x.example/api?key=1', '/a', 'https://x.example/api/a?key=1&p=1'],
    ['https://x.example/?key=1', '/a?b=2#f', 'https://x.example/a?b=2&key=1&p=1#f'],
    ['http://localhost:3000', '/', 'http://localhost:3000/?p=1'],
    ['https://x.example/ä', '/a', 'https://x.example/%C3%A4/a?p=1'],
  ] as const) {
    assert.equal(endpoint(route, { baseUrl, p: 1 }).url, url, `${baseUrl} ${route}`);
  }
});

test('trailing slashes are kept', () => {
  assert.equal(endpoint('/a/').url, `${BASE}/a/`);
  assert.equal(endpoint('/').url, `${BASE}/`);
  assert.equal(endpoint('/a/{b}/', { b: 1 }).url, `${BASE}/a/1/`);
});

test('a full URL in the route overrides the base with its query', () => {
  assert.equal(
    endpoint('https://u.example/a', { baseUrl: 'https://x.example/?key=1', p: 1 }).url,
    'https://u.example/a?p=1',
  );
});
