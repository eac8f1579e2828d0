import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEndpoint, EndpointError, endpoint } from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
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
  '-evil.example',
  'x.evil.example',
  '%2eevil.example',
  '。evil.example',
  ':8443',
  ':80@evil.example',
  'user:pass@evil.example',
  '/%5Cevil.example',
  '/%09/evil.example',
  '\r\n//evil.example',
  'HTTPS:evil.example',
  'javascript:alert(1)',
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
  '{;x*}',
  '{.x*}',
  '{?x*}',
  '{x:2}{+x}',
  '{+y}{+x}',
  '{/y}{.x}',
  '{+x}://{+x}/x',
  '{y}{/x}.evil.example',
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
    assert.ok(['UNSAFE_VALUE', 'MISSING_VARIABLE', 'INVALID_VALUE'].includes(error.code), error.message);
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

test('no value can change the origin', () => {
  const part = fc.constantFrom(...EVIL, '/', '.', '%', '2', 'e', '\\', '@', ':', 'x');
  const value = fc.oneof(
    fc.array(part).map((parts) => parts.join('')),
    anyText(),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ROUTES), fc.constantFrom(...BASES), value, (route, baseUrl, x) => {
      check(route, baseUrl, x);
    }),
    { numRuns: rounds(100, 2000) },
  );
});

test('no template can change the origin after its first expression', () => {
  const fragment = fc.constantFrom(
    ...[
      '{x}',
      '{+x}',
      '{/x}',
      '{.x}',
      '{;x}',
      '{?x}',
      '{&x}',
      '{#x}',
      '{x*}',
      '{/x*}',
      '{+x,y}',
      '{/y}',
      ':x',
    ],
    ...[
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '@',
      ':',
      ':80',
      '?',
      '#',
      'a',
      '.evil.example',
      '\t',
      '\n',
      '[',
      'é',
    ],
  );
  const template = fc.array(fragment, { maxLength: 6 }).map((fragments) => fragments.join(''));
  const value = fc.oneof(fc.constantFrom(...EVIL), fc.array(fc.constantFrom(...EVIL), { maxLength: 2 }));
  const start = fc.constantFrom('', 'https://u.example/', 'https://u.example{/y}', 'https://u.example{?y}');
  fc.assert(
    fc.property(start, template, fc.constantFrom(...BASES), value, (origin, rest, baseUrl, x) => {
      fc.pre(!/^a+:\/\//.test(rest)); // a full URL of its own
      let result: string;
      try {
        result = endpoint({ url: origin + rest, baseUrl, x }).url;
      } catch (error) {
        assert.ok(error instanceof EndpointError, String(error));
        return;
      }
      const { protocol, host, username } = new URL(result);
      const expected = new URL(origin.replace(/\{.*/, '') || baseUrl);
      assert.deepEqual(
        [protocol, host, username],
        [expected.protocol, expected.host, expected.username],
        `${origin}${rest}`,
      );
    }),
    { numRuns: rounds(150, 5000) },
  );
});

test('a value can only begin a path with a slash, a question mark or a number sign', () => {
  const values = EVIL.filter((value) => !/^(\/(?!\/)|[?#]|$)/.test(value));
  assert.ok(values.length > 20);
  for (const route of [
    '{+x}',
    '{x}',
    '{+x}/b',
    '{/y}{+x}',
    '{;x}',
    '{.x}',
    '{&x}',
    'https://a.example{/y}{+x}',
  ]) {
    for (const baseUrl of BASES) {
      for (const x of values) {
        assert.throws(() => endpoint(route, { baseUrl, x }), { code: 'UNSAFE_VALUE' }, `${route} ${x}`);
      }
    }
  }
  for (const [x, url] of [
    ['/a', '/a'],
    ['?a', '?a'],
    ['#a', '#a'],
    ['', ''],
    ['/a//b', '/a//b'],
    ['/\\evil.example', '/%5Cevil.example'],
  ] as const) {
    assert.equal(endpoint('{+x}', { x }).url, `https://api.github.com${url}`);
  }
});

test('neither a value nor a template goes on where the host ends', () => {
  assert.throws(() => endpoint('GET {+p}', { p: '.evil.test' }), {
    code: 'UNSAFE_VALUE',
    message: 'GET {+p}: expected no dot segments and no host, got ".evil.test"',
  });
  for (const [route, x] of [
    ['/{+x}', '/evil.example'],
    ['{/x*}', ['', 'evil.example']],
    ['{/y,x*}', ['', 'evil.example']],
    ['/{/x}', 'evil.example'],
    ['https://a.example/{+x}', '/evil.example'],
    ['https://a.example{/y}.evil.example', 'a'],
    ['{/y}.evil.example', 'a'],
    // The literal `..` is one in the route alone, and makes no room for another danger.
    ['{+x}/..{?y}b', '@evil.example'],
    ['{+x}/..{#y}b', ':80@evil.example'],
  ] as const) {
    assert.throws(() => endpoint(route as string, { x }), { code: 'UNSAFE_VALUE' }, `${route} ${x}`);
  }
  // Nor where the parameter behind it makes another segment of it.
  const both = { x: '@evil.example', y: 1 };
  assert.throws(() => endpoint('{+x}/..{&y}', both), { code: 'UNSAFE_VALUE' });
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
    ['/a/{+x}', '..;/b'],
    ['/a/{x}{;x}', '..'],
    ['/a/.{?y}{.x}', ''],
    ['/a/..{?y}b/{+x}', '..'],
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

test('dots in the query and the fragment make no segment, and excuse none of the path', () => {
  assert.equal(
    endpoint.url('GET /x?next={+next}{#place}', { next: '/a/../b', place: '/../c' }),
    'https://api.github.com/x?next=/a/../b#/../c',
  );
  for (const route of ['/x/{+a}?next=/../y', '/x/{+a}#/../y', '/x{?b}/{+a}']) {
    const climb = () => endpoint.url(`GET ${route}`.slice(), { a: '../z' });
    assert.throws(climb, { code: 'UNSAFE_VALUE' }, route);
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
    'https://user:{x}@a.example/',
    'https://a.example\\{+x}',
    'https://a.example\\@evil.example/{x}',
    'https://a.exam\tple/{x}',
    'https://a.example\n/{x}',
  ]) {
    assert.throws(
      () => endpoint(route, { x: 'evil.example' }),
      { code: 'INVALID_URL', message: /host/ },
      route,
    );
  }
  assert.equal(endpoint('https://a.example{/x}', { x: 'b' }).url, 'https://a.example/b');
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
    'https://a.example{/tenant}',
    'https://a.example/{tenant}/',
    'https://a.example/?key={key}',
    'https://a.example\\@evil.example',
    'https://a.example\\.evil.example/',
    'https://a.exam\tple',
    'https://a.example\n.evil.example',
    'https:\\\\a.example',
    'https:/a.example',
    'https:a.example',
    ' https://a.example',
    '\thttps://a.example',
  ]) {
    assert.throws(() => endpoint('/x', { baseUrl }), { code: 'INVALID_URL' }, baseUrl);
    assert.throws(() => createEndpoint({ baseUrl }), { code: 'INVALID_URL' }, baseUrl);
  }
  assert.throws(() => endpoint('/x', { baseUrl: null as unknown as string }), { code: 'INVALID_URL' });
});
