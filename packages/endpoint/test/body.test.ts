import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import vm from 'node:vm';
import { endpoint } from '@watchword/endpoint';

const JSON_TYPE = 'application/json; charset=utf-8';

test('what no placeholder took is the JSON body', () => {
  const { body, headers, url } = endpoint('POST /repos/{owner}/issues', {
    owner: 'o',
    title: 't',
    labels: ['a'],
    milestone: null,
    none: undefined,
  });
  assert.deepEqual(body, { title: 't', labels: ['a'], milestone: null });
  assert.equal(headers['content-type'], JSON_TYPE);
  assert.equal(url, 'https://api.github.com/repos/o/issues');
});

test('only PATCH, POST, PUT and DELETE have a body, and only if there is one', () => {
  for (const method of ['PATCH', 'POST', 'PUT', 'DELETE']) {
    assert.deepEqual(endpoint({ method, url: '/x', a: 1 }).body, { a: 1 });
    assert.deepEqual(endpoint({ method, url: '/x', data: 'text' }).body, 'text');
    const without = endpoint({ method, url: '/x/{a}', a: 1 });
    assert.ok(!('body' in without) && !('content-type' in without.headers));
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    const without = endpoint({ method, url: '/x', a: 1, data: 'text' });
    assert.ok(!('body' in without) && !('content-type' in without.headers), method);
  }
});

test('data is the body itself, while the URL declares the query', () => {
  const { url, body } = endpoint('POST /x{?name,label}', { name: 'n', label: 'l', data: { a: 1 } });
  assert.deepEqual([url, body], ['https://api.github.com/x?name=n&label=l', { a: 1 }]);
  assert.equal(endpoint('POST /x', { data: null }).body, null);
  assert.equal(endpoint('POST /x', { data: 0 }).body, 0);
});

test('data that is not data stays itself and gets no JSON content type', () => {
  const stream = new ReadableStream();
  for (const data of [
    'text',
    '',
    new Uint8Array(2),
    Buffer.from('x'),
    new ArrayBuffer(1),
    new FormData(),
    new URLSearchParams('a=b'),
    new Blob(['x']),
    stream,
    Readable.from(['x']),
  ]) {
    const { body, headers } = endpoint('POST /x', { data });
    assert.equal(body, data);
    assert.ok(!('content-type' in headers), String(data));
  }
  for (const data of [{}, [], 1, true, null, new Date(0), vm.runInNewContext('({ a: [1] })')]) {
    assert.equal(endpoint('POST /x', { data }).headers['content-type'], JSON_TYPE);
  }
});

test("the caller's content type stays", () => {
  assert.equal(
    endpoint('POST /x', { headers: { 'Content-Type': 'text/plain' }, a: 1 }).headers['content-type'],
    'text/plain',
  );
});

test('request is handed on as it is, and is there only if it was given', () => {
  const request = { signal: AbortSignal.abort(), deep: { a: 1 } };
  assert.equal(endpoint('/x', { request }).request, request);
  assert.equal(endpoint.defaults({ request })('/x').request, request);
  assert.ok(!Object.isFrozen(request) && !Object.isFrozen(request.deep));
  assert.equal(endpoint.merge('/x', { request }).request, request);
  assert.equal(endpoint('/x', { request: null }).request, null);
  assert.ok(!('request' in endpoint('/x')));
});
