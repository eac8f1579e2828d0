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

test('PATCH, POST, PUT, DELETE and QUERY have their parameters as body, and a body only if there is one', () => {
  for (const method of ['PATCH', 'POST', 'PUT', 'DELETE', 'QUERY']) {
    assert.deepEqual(endpoint({ method, url: '/x', a: 1 }).body, { a: 1 });
    assert.deepEqual(endpoint({ method, url: '/x', data: 'text' }).body, 'text');
    const without = endpoint({ method, url: '/x/{a}', a: 1 });
    assert.ok(!('body' in without) && !('content-type' in without.headers));
  }
});

test('every other method has its parameters in the query, and data as its body where HTTP gives it content', () => {
  for (const method of ['OPTIONS', 'PROPFIND', 'REPORT', 'SEARCH', 'MKCOL', 'LOCK', 'X-OWN']) {
    const { url, body, headers } = endpoint({ method, url: '/x', a: 1, data: { b: 2 } });
    assert.deepEqual([url, body], ['https://api.github.com/x?a=1', { b: 2 }], method);
    assert.equal(headers['content-type'], JSON_TYPE);
    assert.ok(!('body' in endpoint({ method, url: '/x', a: 1 })));
  }
  for (const method of ['GET', 'HEAD', 'TRACE', 'CONNECT']) {
    const without = endpoint({ method, url: '/x', a: 1 });
    assert.equal(without.url, 'https://api.github.com/x?a=1');
    assert.ok(!('body' in without) && !('content-type' in without.headers), method);
    for (const data of ['text', '', null, 0, { a: 1 }]) {
      const message = `${method} /x: ${method} sends no "data"`;
      assert.throws(() => endpoint(`${method} /x`, { data }), { code: 'UNEXPECTED_DATA', message });
    }
  }
});

test('the parameters beside the data of a QUERY are its query', () => {
  const { url, body } = endpoint('QUERY /contacts', { page: 2, data: 'select name' });
  assert.deepEqual([url, body], ['https://api.github.com/contacts?page=2', 'select name']);
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
  assert.ok(
    !Object.isFrozen(endpoint.defaults({ request }).defaults({ request: { a: 1 } }).DEFAULTS.request),
  );
  assert.equal(endpoint.merge('/x', { request }).request, request);
  assert.equal(endpoint('/x', { request: null }).request, null);
  assert.ok(!('request' in endpoint('/x')));
});

test('request of a call is put over that of the defaults, one level deep', () => {
  const agent = new EventTarget();
  const hooks = { before: 1 };
  const e = endpoint.defaults({ request: { fetch, agent, hooks, timeout: 5 } });
  const signal = AbortSignal.abort();
  for (const build of [
    () => e('/x', { request: { signal, timeout: undefined, hooks: { after: 2 } } }),
    () => e.defaults({ request: { signal, hooks: { after: 2 } } })('/x'),
    () => e.parse(e.merge('/x', { request: { signal, hooks: { after: 2 } } })),
  ]) {
    const request = build().request as Record<string, unknown>;
    assert.deepEqual(Object.keys(request).sort(), ['agent', 'fetch', 'hooks', 'signal', 'timeout']);
    assert.ok(request.agent === agent && request.fetch === fetch && request.signal === signal);
    assert.deepEqual([request.hooks, request.timeout], [{ after: 2 }, 5]);
  }
  assert.equal(e('/x', { request: null }).request, null);
  assert.equal(e('/x', { request: agent }).request, agent);
  assert.deepEqual(e.DEFAULTS.request, { fetch, agent, hooks, timeout: 5 });
});

test('endpoint.url is the URL alone of the same call', () => {
  const e = endpoint.defaults({ owner: 'o' });
  for (const [route, options, more] of [
    ['GET /{owner}/{repo}', { repo: 'r', page: 2 }, {}],
    ['POST /{owner}{?name}', { name: 'n', title: 't', data: 'x' }, {}],
    ['PROPFIND /{owner}', { data: '<x/>', depth: 1 }, { url: 1 }],
    ['QUERY /{owner}', { a: 1 }, {}],
  ] as const) {
    assert.equal(e.url(route as string, options, more), e(route as string, options, more).url, route);
  }
  assert.equal(e.url({ url: '/{owner}', page: 1 }), 'https://api.github.com/o?page=1');
  assert.throws(() => e.url('GET /{repo}' as string), {
    message: 'GET /{repo}: a value for "repo" is missing',
  });
});
