import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint } from '@watchword/endpoint';

const BASE = 'https://api.github.com';

test('a route is a method and a URL, or a URL alone, which goes with GET', () => {
  for (const [route, method, url] of [
    ['GET /users', 'get', '/users'],
    ['DELETE  /users', 'delete', '/users'],
    ['patch /users', 'patch', '/users'],
    ['PROPFIND /users', 'propfind', '/users'],
    ['M-SEARCH /users', 'm-search', '/users'],
    ['/users', 'get', '/users'],
    ['users', 'get', '/users'],
    ['/a b', 'get', '/a%20b'],
    ['GET /a b', 'get', '/a%20b'],
    ['{/x}', 'get', ''],
    ['?a=b', 'get', '?a=b'],
    ['GET /x\r\nHost: evil', 'get', '/x%0D%0AHost:%20evil'],
  ] as const) {
    const result = endpoint(route, {});
    assert.deepEqual([result.method, result.url], [method, BASE + url], route);
  }
});

test('without a URL there is an error that says how to give one', () => {
  const nothing = endpoint as unknown as (...args: unknown[]) => unknown;
  for (const args of [
    [],
    [''],
    ['GET '],
    ['GET'],
    [{}],
    [{ method: 'GET' }],
    [null],
    [{ url: '' }],
    [{ url: 5 }],
    [{ url: null }],
    [42],
  ]) {
    assert.throws(
      () => nothing(...args),
      { code: 'MISSING_URL', message: /^(GET 5: e|E)xpected a path or full URL/ },
      JSON.stringify(args),
    );
  }
});

test('a method is an HTTP token', () => {
  for (const method of ['', 'GE T', 'G@T', 'GET\r\nX: y', 'GÉT', 5, null]) {
    assert.throws(
      () => endpoint({ method: method as string, url: '/x' }),
      { code: 'INVALID_METHOD' },
      String(method),
    );
  }
  for (const route of ['G@T /x', 'GET: /x', '"GET" /x']) {
    assert.throws(() => endpoint(route), { code: 'INVALID_METHOD', message: /HTTP method, got "/ }, route);
  }
});

test('with a route, its method and URL count', () => {
  const { method, url } = endpoint('GET /a', { method: 'POST', url: 'https://evil.example/' });
  assert.deepEqual([method, url], ['get', `${BASE}/a`]);
});

test(':name and {name} fill a whole path segment', () => {
  for (const [route, url] of [
    ['/:a', '/1'],
    ['/:Abc', '/2'],
    ['/:my_id', '/3'],
    ['/x/:a/y/:Abc', '/x/1/y/2'],
    ['/:a.json', '/1.json'],
    ['/:a.tar.gz', '/1.tar.gz'],
    ['/:a/', '/1/'],
    ['/:a{?Abc}', '/1?Abc=2'],
    ['/:a?x=1', '/1?x=1&Abc=2&my_id=3'],
    ['/:a#f', '/1?Abc=2&my_id=3#f'],
    ['/:a{.Abc}', '/1.2'],
    [':a/x', '/1/x'],
    ['/{a}/{Abc}', '/1/2'],
    ['/{a}-{Abc}', '/1-2'],
  ] as const) {
    const { pathname, search, hash } = new URL(endpoint(route, { a: 1, Abc: 2, my_id: 3 }).url);
    assert.ok((pathname + search + hash).startsWith(url), `${route}: ${pathname + search + hash}`);
  }
});

test('a colon anywhere else is a colon', () => {
  for (const route of [
    'https://user:pass@host.example/x',
    'http://[fe80::1]/x',
    'http://localhost:8080/x',
    '/projects/1:generate',
    '/x?q=is:open',
    '/x?q=/:open',
    '/x#/:open',
    '/a:b',
    '/:1',
    '/:a-b',
    '/:a:b',
    '/::a',
    '/:',
    '/x/a:',
  ]) {
    const expected = route.startsWith('/') ? BASE + route : route;
    assert.equal(endpoint(`GET ${route}`).url, expected, route);
  }
});

test('a missing path variable is an error that names it', () => {
  for (const [route, parameters] of [
    ['/repos/{owner}/x', {}],
    ['/repos/{owner}/x', { owner: undefined }],
    ['/repos/{owner}/x', { owner: null }],
    ['/repos/{owner}/x', { owner: [] }],
    ['/repos/{owner}/x', { owner: {} }],
    ['/repos/{owner}/x', { owner: '' }],
    ['/repos/:owner/x', {}],
    ['/repos/:owner', {}],
    ['/repos/{+owner}', {}],
    ['/repos/{repo,owner}', { repo: 'x' }],
    ['https://a.example/{owner}', {}],
    ['/{owner}{?x}', {}],
  ] as const) {
    assert.throws(
      () => endpoint(route as string, parameters),
      { code: 'MISSING_VARIABLE', message: /^GET .*owner.*: a value for "owner" is missing$/ },
      `${route} ${JSON.stringify(parameters)}`,
    );
  }
});

test('what may be missing may be missing', () => {
  for (const [route, url] of [
    ['/a{/x}', '/a'],
    ['/a{.x}', '/a'],
    ['/a{;x}', '/a'],
    ['/a{?x}', '/a'],
    ['/a{#x}', '/a'],
    ['/a?b={x}', '/a?b='],
    ['/a?b{&x}', '/a?b'],
    ['/a#{x}', '/a#'],
  ] as const) {
    assert.equal(endpoint(route, {}).url, BASE + url, route);
  }
});

test('an empty value may end a path, as the root of a tree does', () => {
  assert.equal(endpoint('/contents/{+path}', { path: '' }).url, `${BASE}/contents/`);
});

test('a malformed route is an error', () => {
  for (const route of ['/a{', '/a}', '/{a b}', '/{:a}', '/{}']) {
    assert.throws(() => endpoint(route, { a: 1 }), { code: 'INVALID_TEMPLATE' }, route);
  }
});
