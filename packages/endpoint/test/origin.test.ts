import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEndpoint, EndpointError, endpoint } from '@watchword/endpoint';
import fc from 'fast-check';

const EVIL = [
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  '@evil.example',
  ':@evil.example/',
  '.evil.example',
  ':99999',
  '..',
  '.',
  '../..',
  '%2e%2e',
  '%2E.',
  '.%2e',
  '..%2f..',
  '../../x',
  '/../x',
  '..\\..',
  '\t/evil.example',
  '/\n/evil.example',
  '.\t.',
  '?x=//evil',
  '#//evil',
  ';@evil',
  '',
  '\u0000',
  '／evil.example',
  '%00',
];
const ROUTES = [
  '/a/{x}/b',
  '/a/:x/b',
  '/a/:x.json',
  '/a/{+x}/b',
  '/a{/x}',
  '/a{/x*}',
  '/a/{.x}',
  '/a/.{x}',
  '/a/{x}{x}',
  '/{x}',
  '{x}',
  '{+x}',
  '{/x}',
  '{/x*}',
  '{.x}',
  '{;x}',
  '{?x}',
  '{&x}',
  '{#x}',
  '{+x}{+x}',
  ':x',
  '/a/../{+x}',
  '/{+x}/../b',
  '//{x}',
  '/{x}:{x}',
  'x{+x}',
];
const BASES = [
  'https://api.github.com',
  'https://api.github.com/',
  'https://user:pass@api.example.com:8443/v1/?key=1',
  'http://[fe80::1]:3000/deep/path',
];

/** Either an error that says so, or the base URL's origin and path still stand first. */
function check(route: string, baseUrl: string, x: unknown): void {
  let url: URL;
  try {
    url = new URL(endpoint(route, { baseUrl, x }).url);
  } catch (error) {
    assert.ok(error instanceof EndpointError, String(error));
    assert.ok(['UNSAFE_VALUE', 'MISSING_VARIABLE'].includes(error.code), error.message);
    return;
  }
  const base = new URL(baseUrl);
  assert.deepEqual([url.origin, url.username, url.password], [base.origin, base.username, base.password]);
  assert.ok(url.pathname.startsWith(base.pathname.replace(/\/$/, '')), url.href);
}

test('a value can never change the origin or climb above the base path', () => {
  for (const route of ROUTES) {
    for (const baseUrl of BASES) {
      for (const value of EVIL) {
        check(route, baseUrl, value);
        check(route, baseUrl, [value, value]);
        check(route, baseUrl, { [value]: value });
      }
    }
  }
});

test('a value can never change the origin, whatever it is', () => {
  const part = fc.constantFrom(...EVIL, '/', '.', '%', '2', 'e', '\\', '@', ':', 'x');
  const value = fc.oneof(
    fc.array(part).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ROUTES), fc.constantFrom(...BASES), value, (route, baseUrl, x) => {
      check(route, baseUrl, x);
    }),
    { numRuns: 2000 },
  );
});

test('a value that makes a dot segment is an error, encoded or not', () => {
  for (const [route, x] of [
    ['/a/{x}', '..'],
    ['/a/{x}', '.'],
    ['/a/:x', '..'],
    ['/a/{+x}', 'b/../../c'],
    ['/a/{+x}', '%2e%2E/c'],
    ['/a/{+x}', '.%2e'],
    ['/a{/x*}', ['..', '..']],
    ['/a/{.x}', '.'],
    ['/a/.{x}', '.'],
    ['/a/{x}.', '.'],
    ['{+x}', '..'],
    ['/a/../{x}', '..'],
    ['/{+x}/../b', '/..?'],
  ] as const) {
    assert.throws(
      () => endpoint(route, { x }),
      { code: 'UNSAFE_VALUE', message: /segment/ },
      `${route} ${x}`,
    );
  }
});

test('a value never takes a segment away from the path', () => {
  for (const x of EVIL.filter((value) => value !== '')) {
    for (const route of ['/a/{x}/b', '/a/:x/b', '/a{/x}/b', '/a/{.x}/b']) {
      try {
        const { pathname } = new URL(endpoint(route, { x }).url);
        assert.equal(pathname.split('/').length, 4, `${route} ${pathname}`);
      } catch (error) {
        assert.equal((error as EndpointError).code, 'UNSAFE_VALUE', `${route} ${x}`);
      }
    }
  }
});

test('dots inside a segment are only dots', () => {
  for (const x of ['...', 'a..b', '.git', 'v1.0', '..a']) {
    assert.equal(endpoint('/a/{x}', { x }).url, `https://api.github.com/a/${x}`);
  }
  assert.equal(
    endpoint('/compare/{base}...{head}', { base: 'v1', head: 'v2' }).url,
    'https://api.github.com/compare/v1...v2',
  );
});

test('the author of a route may climb', () => {
  assert.equal(endpoint('/a/../{x}/./b', { x: 'c' }).url, 'https://api.github.com/a/../c/./b');
});

test('only a route that is a full URL leaves the base URL', () => {
  assert.equal(
    endpoint('POST https://uploads.github.com/x{?name}', { name: 'a b' }).url,
    'https://uploads.github.com/x?name=a%20b',
  );
  for (const route of [
    '//evil.example/x',
    '@evil.example',
    '.evil.example',
    'https:/evil.example',
    'https:evil.example',
  ]) {
    assert.equal(new URL(endpoint(route).url).origin, 'https://api.github.com', route);
  }
});

test('a placeholder in the place of the host is an error', () => {
  for (const route of [
    'https://{x}/a',
    'https://{+x}/a',
    'https://a.{x}.example/b',
    'https://a.example{x}/b',
    'https://a.example{+x}',
    'https://a.example:{x}/',
    'https://{/x}',
  ]) {
    assert.throws(
      () => endpoint(route, { x: 'evil.example' }),
      { code: 'INVALID_URL', message: /host/ },
      route,
    );
  }
  assert.equal(endpoint('https://a.example{/x}', { x: 'b' }).url, 'https://a.example/b');
  assert.equal(endpoint('https://a.example{/y}.evil.example', {}).url, 'https://a.example/.evil.example');
});

test('a base URL is absolute and has a fixed host', () => {
  for (const baseUrl of [
    '',
    '/v1',
    'api.example.com',
    'https://',
    'https:///x',
    'https://{host}',
    'https://a.{host}/',
  ]) {
    assert.throws(() => endpoint('/x', { baseUrl }), { code: 'INVALID_URL' }, baseUrl);
    assert.throws(() => createEndpoint({ baseUrl }), { code: 'INVALID_URL' }, baseUrl);
  }
  assert.throws(() => endpoint('/x', { baseUrl: null as unknown as string }), { code: 'INVALID_URL' });
});
