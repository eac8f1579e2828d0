import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { endpoint, toCurl, toFetch } from '@watchword/endpoint';
import fc from 'fast-check';

test('toFetch gives what Request takes: the method in upper case, JSON as text', async () => {
  const [url, init] = toFetch(endpoint('PATCH /x', { headers: { authorization: 'token 1' }, a: 'ü' }));
  assert.deepEqual(
    [url, init],
    [
      'https://api.github.com/x',
      {
        method: 'PATCH',
        headers: endpoint('PATCH /x', { headers: { authorization: 'token 1' }, a: 'ü' }).headers,
        body: '{"a":"ü"}',
      },
    ],
  );
  const request = new Request(url, init);
  assert.equal(request.method, 'PATCH');
  assert.equal(request.headers.get('authorization'), 'token 1');
  assert.deepEqual(await request.json(), { a: 'ü' });
  assert.deepEqual(Object.keys(toFetch(endpoint('/x'))[1]), ['method', 'headers']);
});

test('toFetch sends text, bytes, forms and streams as they are', async () => {
  for (const data of [
    'text',
    new Uint8Array([116, 101, 120, 116]),
    new Blob(['text']),
    new Blob(['text']).stream(),
    Readable.from(['text']),
  ]) {
    assert.equal(await new Request(...toFetch(endpoint('PUT /x', { data }))).text(), 'text');
  }
  const form = await new Request(
    ...toFetch(endpoint('PUT /x', { data: new URLSearchParams({ a: 'b' }) })),
  ).text();
  assert.equal(form, 'a=b');
  assert.equal(await new Request(...toFetch(endpoint('PUT /x', { data: null }))).text(), 'null');
});

test('toFetch shares no headers with the result', () => {
  const result = endpoint('/x');
  toFetch(result)[1].headers.accept = 'changed';
  assert.equal(result.headers.accept, 'application/vnd.github.v3+json');
});

test('toCurl is for people, and redacts credentials unless asked', () => {
  const result = endpoint('POST /x', {
    headers: {
      authorization: 'token 1',
      cookie: 'a=1',
      'x-api-key': 'k',
      accept: 'a/b',
      'user-agent': "it's",
    },
    title: "it's",
  });
  assert.equal(
    toCurl(result),
    `curl -gX 'POST' 'https://api.github.com/x' \\
  -H 'accept: a/b' \\
  -H 'user-agent: it'\\''s' \\
  -H 'authorization: [redacted]' \\
  -H 'cookie: [redacted]' \\
  -H 'x-api-key: [redacted]' \\
  -H 'content-type: application/json; charset=utf-8' \\
  --data-raw '{"title":"it'\\''s"}'`,
  );
  assert.match(toCurl(result, { showSecrets: true }), /-H 'authorization: token 1'/);
  assert.match(toCurl(endpoint('POST /x', { data: new Uint8Array(2) })), / --data-binary @-$/);
  assert.doesNotMatch(toCurl(endpoint('/x')), /data/);
});

test('a shell reads back from toCurl exactly what went in', { skip: process.platform === 'win32' }, () => {
  const text = fc.string({ unit: 'binary' }).map((value) => value.replace(/\0/g, '').toWellFormed());
  fc.assert(
    fc.property(text, text, (title, x) => {
      const result = endpoint('POST /{x}', { x: `x${x}`, title });
      const read = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${toCurl(result)}`], {
        encoding: 'utf8',
      }).split('\0');
      assert.equal(read[2], result.url);
      assert.equal(read.at(-2), JSON.stringify({ title }));
    }),
    { numRuns: 50 },
  );
});
