import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint, type Options } from '@watchword/endpoint';
import fc from 'fast-check';

const OPTION_NAMES = ['method', 'url', 'baseUrl', 'headers', 'mediaType', 'data', 'request'];

test('keys of the third argument are always parameters, with any name', () => {
  for (const name of OPTION_NAMES) {
    assert.deepEqual(endpoint('GET /x', {}, { [name]: 'v' }), {
      ...endpoint('GET /x'),
      url: `https://api.github.com/x?${name}=v`,
    });
    assert.deepEqual(endpoint('POST /x', {}, { [name]: 'v' }).body, { [name]: 'v' });
    assert.equal(
      endpoint(`GET /x/{${name}}` as string, {}, { [name]: 'v' }).url,
      'https://api.github.com/x/v',
    );
  }
});

test('the third argument overrides parameters among the options, and undefined options do no harm', () => {
  assert.equal(endpoint('/x', { a: 1, b: 2 }, { a: 3 }).url, 'https://api.github.com/x?a=3&b=2');
  assert.equal(endpoint('/x', undefined as unknown as Options, { a: 3 }).url, 'https://api.github.com/x?a=3');
});

test('an option is never a parameter', () => {
  for (const name of OPTION_NAMES.slice(2)) {
    assert.throws(() => endpoint(`GET /x/{${name}}` as string, {}), { code: 'MISSING_VARIABLE' }, name);
  }
  assert.equal(
    endpoint('GET /x', { request: 1, mediaType: {}, headers: {} }).url,
    'https://api.github.com/x',
  );
});

test('untrusted parameters can change nothing but the query', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom(...OPTION_NAMES, '__proto__', 'constructor', 'toString', 'hasOwnProperty'),
  );
  const plain = endpoint('GET /x');
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), (parameters) => {
      const { url, ...rest } = endpoint('GET /x', {}, parameters);
      assert.deepEqual({ ...rest, url: url.replace(/\?.*/, '') }, plain);
    }),
  );
});

test('only own properties count', () => {
  const inherited = Object.create({
    owner: 'o',
    baseUrl: 'https://evil.example',
    headers: { x: 'y' },
    page: 1,
  });
  assert.deepEqual(endpoint('/x', inherited), endpoint('/x'));
  assert.throws(() => endpoint('/{owner}' as string, inherited), { code: 'MISSING_VARIABLE' });
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    assert.throws(() => endpoint(`/{${name}}` as string, {}), { code: 'MISSING_VARIABLE' }, name);
  }
  const prototype = Object.prototype as Record<string, unknown>;
  prototype.baseUrl = 'https://evil.example';
  prototype.headers = { evil: 'x' };
  prototype.evil = 'x';
  prototype.data = prototype.request = prototype.url = 'x';
  try {
    assert.deepEqual(Object.keys(endpoint('POST /x')), ['method', 'url', 'headers']);
    assert.throws(() => endpoint({}), { code: 'MISSING_URL' });
    assert.deepEqual(endpoint('/x', { a: 1 }).url, 'https://api.github.com/x?a=1');
    assert.ok(!Object.hasOwn(endpoint('/x', { a: 1 }).headers, 'evil'));
  } finally {
    for (const name of ['baseUrl', 'headers', 'evil', 'data', 'request', 'url']) delete prototype[name];
  }
});

test('__proto__, constructor and toString are inert, as parameters and as headers', () => {
  const hostile =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x","deep":{"__proto__":{"polluted":1}}}';
  const polluted = () => 'polluted' in {};
  const parameters = JSON.parse(hostile);
  const post = endpoint('POST /x', parameters).body as object;
  assert.ok(!('polluted' in post) && !polluted());
  assert.equal(Object.getPrototypeOf(post), Object.prototype);
  assert.deepEqual(Object.keys(post), ['__proto__', 'constructor', 'toString', 'deep']);
  assert.deepEqual(endpoint('POST /x', {}, parameters).body, post);
  assert.ok(
    !('polluted' in endpoint.merge('/x', parameters)) &&
      !('polluted' in endpoint.defaults(parameters).DEFAULTS),
  );
  assert.equal(endpoint('/{toString}' as string, { toString: 'x' }).url, 'https://api.github.com/x');
  assert.ok(!polluted());

  const { headers } = endpoint('/x', {
    headers: JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}'),
  });
  assert.equal(Object.getPrototypeOf(headers), Object.prototype);
  assert.deepEqual([headers.constructor, headers.tostring], ['b', 'c']);
});

test('an option never fills a variable of its name, beside other options or not', () => {
  const given = { url: 'https://evil.example', data: 'x', baseUrl: 'https://api.example.com', page: 2 };
  assert.equal(endpoint('PUT /items{?url,data,page}', given).url, 'https://api.example.com/items?page=2');
  assert.equal(
    endpoint('GET /items{?url}', { page: 2 }, { url: 'a' }).url,
    'https://api.github.com/items?url=a&page=2',
  );
});
