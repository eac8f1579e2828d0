import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { endpoint } from '@watchword/endpoint';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const USER_AGENT = `watchword-endpoint/${version}`;

test('the defaults ask for GitHub JSON and name the package and its version', () => {
  assert.deepEqual(endpoint('/x').headers, {
    accept: 'application/vnd.github.v3+json',
    'user-agent': USER_AGENT,
  });
});

test('the user agent is a product of RFC 9110: a token, a slash, and a token as its version', () => {
  assert.match(endpoint('/x').headers['user-agent'] ?? '', /^[!#-'*+.^`|~\w-]+\/[!#-'*+.^`|~\w-]+$/);
});

test('headers are merged key by key, their names in lower case', () => {
  const { headers } = endpoint('/x', {
    headers: { Authorization: 'token 1', ACCEPT: 'text/plain', 'X-Retry': 3, 'x-flag': true },
  });
  assert.deepEqual(headers, {
    accept: 'text/plain',
    'user-agent': USER_AGENT,
    authorization: 'token 1',
    'x-retry': '3',
    'x-flag': 'true',
  });
});

test('null removes a header, undefined keeps the default', () => {
  assert.deepEqual(
    Object.keys(endpoint('/x', { headers: { accept: null, 'User-Agent': undefined, x: undefined } }).headers),
    ['user-agent'],
  );
});

test('headers may come as Headers, a Map, or pairs', () => {
  for (const headers of [
    new Headers({ Authorization: 'x' }),
    new Map([['Authorization', 'x']]),
    [['authorization', 'x']] as const,
  ]) {
    assert.equal(endpoint('/x', { headers }).headers.authorization, 'x');
  }
});

test('an invalid header name or value is an error that never shows the value', () => {
  for (const bad of ['', 'a b', 'a:b', 'a\r\nb', 'ä', '\u212a']) {
    assert.throws(
      () => endpoint('/x', { headers: { [bad]: 'x' } }),
      { code: 'INVALID_HEADER', message: /header name, got/ },
      bad,
    );
  }
  for (const bad of [
    'secret\r\nx: y',
    'secret\n',
    'secret\0',
    'secret\u{1f600}',
    'secretĀ',
    ['secret'],
    { a: 'secret' },
    () => 'secret',
  ]) {
    assert.throws(
      () => endpoint('/x', { headers: { authorization: bad as string } }),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'INVALID_HEADER');
        assert.match(error.message, /authorization/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
  }
  assert.throws(() => endpoint('/x', { mediaType: { format: 'raw\r\nx: y' } }), { code: 'INVALID_HEADER' });
  assert.equal(endpoint('/x', { headers: { x: 'a\tb ÿ' } }).headers.x, 'a\tb ÿ');
});

test('mediaType.format amends accept', () => {
  for (const [format, accept, expected] of [
    ['raw', undefined, 'application/vnd.github.v3.raw'],
    ['text+json', undefined, 'application/vnd.github.v3.text+json'],
    ['', undefined, 'application/vnd.github.v3+json'],
    ['raw', 'application/vnd.github+json', 'application/vnd.github.raw'],
    ['raw', 'application/vnd.github.v3.html+json', 'application/vnd.github.v3.raw'],
    ['raw', 'application/vnd.acme.v2+json', 'application/vnd.acme.v2.raw'],
    ['raw', 'application/vnd.github.symmetra-preview+json', 'application/vnd.github.symmetra-preview.raw'],
    ['raw', 'application/vnd.github.v3+json, text/html', 'application/vnd.github.v3.raw, text/html'],
    ['raw', 'application/octet-stream', 'application/octet-stream'],
    ['raw', 'text/html', 'text/html'],
    ['raw', 'application/vnd.github.v3+json; charset=utf-8', 'application/vnd.github.v3.raw; charset=utf-8'],
    ['raw', 'application/vnd.github+json;q=0.5,text/html', 'application/vnd.github.raw;q=0.5,text/html'],
    [undefined, undefined, 'application/vnd.github.v3+json'],
    ['$&', undefined, 'application/vnd.github.v3.$&'],
    ['$1$$', undefined, 'application/vnd.github.v3.$1$$'],
  ] as const) {
    assert.equal(
      endpoint('/x', { mediaType: { format }, headers: { accept } }).headers.accept,
      expected,
      `${format} ${accept}`,
    );
  }
  assert.ok(
    !('accept' in endpoint('/x', { headers: { accept: null }, mediaType: { format: 'raw' } }).headers),
  );
});

test('what is undefined in mediaType leaves the default', () => {
  const e = endpoint.defaults({ mediaType: { format: 'raw', previews: ['a'] } });
  for (const mediaType of [{ format: undefined }, { previews: undefined }, {}]) {
    assert.deepEqual(e.merge('/x', { mediaType }).mediaType, { format: 'raw', previews: ['a'] });
    assert.equal(e('/x', { mediaType }).headers.accept, 'application/vnd.github.v3.raw');
  }
  assert.equal(e('/x', { mediaType: { format: '' } }).headers.accept, 'application/vnd.github.v3+json');
});

test('a preview that is named twice is asked for once', () => {
  const e = endpoint.defaults({ mediaType: { previews: ['a', 'b-preview'] } });
  const again = { mediaType: { previews: ['b', 'a-preview', 'c'] } };
  assert.deepEqual(e.merge('/x', again).mediaType.previews, ['a', 'b', 'c']);
  assert.deepEqual(e.defaults(again).defaults(again).DEFAULTS.mediaType.previews, ['a', 'b', 'c']);
  assert.deepEqual(e(e.merge('POST /graphql', again)), e('POST /graphql', again));
  assert.equal(
    e('POST /graphql', { headers: { accept: 'application/vnd.github.a-preview+json' } }).headers.accept,
    'application/vnd.github.a-preview+json,application/vnd.github.b-preview+json',
  );
});

test('mediaType.previews are for GraphQL, and add up', () => {
  const github = endpoint.defaults({ mediaType: { previews: ['foo'] } });
  assert.equal(
    github('POST /graphql', { mediaType: { previews: ['bar-preview'] } }).headers.accept,
    'application/vnd.github.foo-preview+json,application/vnd.github.bar-preview+json',
  );
  assert.equal(
    github('POST /graphql', { mediaType: { format: 'raw' } }).headers.accept,
    'application/vnd.github.foo-preview.raw',
  );
  assert.equal(
    github('POST /graphql', { headers: { accept: 'application/vnd.github.baz-preview+json' } }).headers
      .accept,
    'application/vnd.github.baz-preview+json,application/vnd.github.foo-preview+json',
  );
  assert.equal(github('GET /x').headers.accept, 'application/vnd.github.v3+json');
});
