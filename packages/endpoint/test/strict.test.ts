import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createEndpoint, endpoint, type Options } from '@watchword/endpoint';
import fc from 'fast-check';

const strict = endpoint.defaults({ strict: true });
/** Of any text, as if it were not a literal. */
const build = (route: string, options: Options) => strict(route, options).url;

/** Percent-encodes some of the characters, again and again. */
const encodings = (text: string) =>
  fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), { maxLength: 4 }).map((layers) =>
    layers.reduce(
      (encoded, layer) =>
        Array.from(encoded)
          .map((letter, index) =>
            layer[index % layer.length] ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : letter,
          )
          .join(''),
      text,
    ),
  );

describe('strict mode', () => {
  test('refuses a path value that becomes a slash or a dot segment by decoding', () => {
    for (const [route, value] of [
      ['/files/{path}', '..%2F..%2Fadmin'],
      ['/files/{path}', '%2e%2e'],
      ['/files/{path}', '%252e%252e'],
      ['/files/{path}', 'a/b'],
      ['/files/{path}', 'a\\b'],
      ['/files/{path}', '%255c'],
      ['/files/{+path}', '%2e%2e/x'],
      ['/files/{+path}', 'a/%252e%252e/x'],
      ['/files/{+path}', 'a%2Fb'],
      ['/files{/path}', '%2F'],
      ['/files{/path*}', ['a', '%252F']],
      ['/files/:path', 'x%25252fy'],
      ['/files/.{path}', '%2e'],
      ['/files/{path}', '.\t.'],
      ['/files/{path}', '.%0a.'],
      ['/files/{+path}', 'a/%0D../x'],
      ['/files/{path}', '..%00x'],
      // What the author has in the query excuses nothing.
      ['/files/{path}?next=%2Fhome', 'a/b'],
      ['/files/{path}?next=/../home', '%252e%252e'],
      ['/files/{path}#/%2e%2e/', '%2e%2e'],
    ] as const) {
      assert.throws(
        () => build(`GET ${route}`, { path: value }),
        { code: 'UNSAFE_VALUE' },
        `${route} ${value}`,
      );
    }
  });

  test('refuses them after any number of decodings, of any characters', () => {
    const hidden = fc.constantFrom('..', '.', '../x', 'a/b', '/', 'a\\b').chain(encodings);
    fc.assert(
      fc.property(hidden, (path) => {
        assert.throws(() => build('GET /files/{path}', { path }), { code: 'UNSAFE_VALUE' }, path);
      }),
    );
    const deep = `%${'25'.repeat(50_000)}2f`;
    assert.throws(() => build('GET /files/{path}', { path: deep }), { code: 'UNSAFE_VALUE' });
  });

  test('allows every other value, and what the template itself has', () => {
    for (const [route, path, url] of [
      ['/files/{path}', 'a b.txt', '/files/a%20b.txt'],
      ['/files/{path}', '100%', '/files/100%25'],
      ['/files/{path}', '...', '/files/...'],
      ['/files/{+path}', 'a/b/c', '/files/a/b/c'],
      ['/files{/path*}', ['a', 'b'], '/files/a/b'],
      ['/a%2Fb/../{path}', 'c', '/a%2Fb/../c'],
    ] as const) {
      assert.equal(build(`GET ${route}`, { path }), `https://api.github.com${url}`);
    }
    assert.equal(build('GET /x', { path: '../a%2Fb' }), 'https://api.github.com/x?path=..%2Fa%252Fb');
    assert.equal(
      endpoint('GET /files/{path}', { path: 'a%2Fb' }).url,
      'https://api.github.com/files/a%252Fb',
    );
  });

  test('refuses what looks like a placeholder and is none, and one without a value in the query', () => {
    for (const route of ['/x/:a-b', '/x/:1', '/:a:b', '/{a}/::b']) {
      assert.throws(() => build(`GET ${route}`, { a: 1 }), { code: 'INVALID_TEMPLATE' }, route);
    }
    for (const route of ['/x?b={b}', '/x#{b}']) {
      assert.throws(() => build(`GET ${route}`, {}), { code: 'MISSING_VARIABLE' }, route);
    }
    for (const route of ['/x/1:go', '/x?q=/:b', '/x{?b}', '/x/{a}:go']) build(`GET ${route}`, { a: 1 });
  });

  test('refuses a parameter that is neither in the URL nor in the body; a default is for any route', () => {
    assert.throws(() => strict('POST /x', { title: 't', data: 'x' }), {
      code: 'UNUSED_PARAMETER',
      message: 'POST /x: "title" is not sent beside "data"',
    });
    assert.equal(strict.defaults({ owner: 'o' })('POST /x', { data: 'x' }).body, 'x');
    assert.equal(strict('POST /{id}{?page}', { id: 1, page: 2, data: 'x' }).body, 'x');
    assert.equal(endpoint('POST /x', { title: 't', data: 'x' }).body, 'x');
  });

  test('refuses values that JSON has not', () => {
    for (const value of [1n, Number.NaN, Number.POSITIVE_INFINITY, [{ a: 1n }]]) {
      assert.throws(() => strict('POST /x', { size: value }), {
        code: 'INVALID_VALUE',
        message: /^POST \/x: expected JSON data as "size", got "(bigint|number) /,
      });
      assert.throws(() => strict('POST /x', { data: [value] }), { code: 'INVALID_VALUE' });
    }
    assert.deepEqual(strict('POST /x', { a: [1, null, true] }).body, { a: [1, null, true] });
  });

  test('is an option of a vendor, of defaults, of a call and of merged options', () => {
    const unsafe = { path: 'a/b' };
    const acme = createEndpoint({ baseUrl: 'https://a.example', strict: true });
    for (const call of [
      () => acme('GET /{path}', unsafe),
      () => endpoint('GET /{path}', { ...unsafe, strict: true }),
      () => endpoint.parse(strict.merge('PUT /{path}', unsafe)),
      () => strict.url('GET /{path}', unsafe),
    ]) {
      assert.throws(call, { code: 'UNSAFE_VALUE' });
    }
    assert.ok(strict('GET /{path}', { ...unsafe, strict: false }));
  });

  test('is never taken for a member of a JSON body, or a member for it', () => {
    assert.throws(() => endpoint('PATCH /x', { strict: true, contexts: [] }), { code: 'INVALID_OPTION' });
    assert.deepEqual(endpoint('PATCH /x', { contexts: [] }, { strict: true }).body, {
      contexts: [],
      strict: true,
    });
    assert.throws(() => endpoint('GET /x', { strict: 'yes' as never }), { code: 'INVALID_OPTION' });
  });
});
