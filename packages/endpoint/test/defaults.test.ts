import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEndpoint, endpoint } from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import fc from 'fast-check';

test('defaults cascade, and the original is unchanged', () => {
  const before = structuredClone(endpoint.DEFAULTS);
  const one = endpoint.defaults({
    baseUrl: 'https://one.example',
    headers: { 'x-a': '1', 'x-b': '1' },
    owner: 'o',
    per_page: 1,
  });
  const two = one.defaults({ headers: { 'x-b': '2' }, repo: 'r', per_page: 2 });
  const result = two('GET /{owner}/{repo}', { per_page: 3, page: 4 });
  assert.equal(result.url, 'https://one.example/o/r?per_page=3&page=4');
  assert.deepEqual([result.headers['x-a'], result.headers['x-b']], ['1', '2']);
  assert.equal(one('GET /{owner}').url, 'https://one.example/o?per_page=1');
  assert.deepEqual(endpoint.DEFAULTS, before);
});

test('defaults can have the method and the URL', () => {
  const user = endpoint.defaults({ method: 'put', url: '/user/{id}' });
  assert.deepEqual([user({ id: 1 }).method, user({ id: 1 }).url], ['put', 'https://api.github.com/user/1']);
});

test('undefined keeps a default, null removes it from the query', () => {
  const e = endpoint.defaults({ a: 1, baseUrl: 'https://one.example' });
  assert.equal(e('/x', { a: undefined, baseUrl: undefined }).url, 'https://one.example/x?a=1');
  assert.equal(e('/x', { a: null }).url, 'https://one.example/x');
});

test('merge gives the method in upper case, the URL as a template, and all that a call needs', () => {
  assert.deepEqual(
    endpoint.merge('get /orgs/{org}/repos', { headers: { Authorization: 'x' }, org: 'o', type: 'private' }),
    {
      method: 'GET',
      url: '/orgs/{org}/repos',
      baseUrl: 'https://api.github.com',
      headers: { ...endpoint.DEFAULTS.headers, authorization: 'x' },
      mediaType: { format: '', previews: [] },
      org: 'o',
      type: 'private',
    },
  );
});

test('endpoint(o) equals parse(merge(o))', () => {
  const noContent = ['GET', 'HEAD'];
  const options = fc.record(
    {
      method: fc.constantFrom(...noContent, 'post', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'),
      url: fc.constantFrom('/x/{id}', '/x{?id}', 'https://u.example/{id}', '/graphql'),
      id: fc.string({ minLength: 1 }).filter((id) => !/^\.+$/.test(id)),
      baseUrl: fc.constantFrom('https://a.example', 'https://b.example/v1/?k=1'),
      headers: fc.constantFrom({}, { Accept: 'application/vnd.github+json' }),
      mediaType: fc.constantFrom({}, { format: 'raw' }, { previews: ['a'] }),
      data: fc.jsonValue(),
      request: fc.jsonValue(),
      'a b': fc.jsonValue(),
      list: fc.array(fc.jsonValue()),
      __proto__: fc.jsonValue(),
      constructor: fc.jsonValue(),
    },
    { requiredKeys: ['method', 'url', 'id'] },
  );
  for (const e of [
    endpoint,
    endpoint.defaults({ list: [0], request: { a: 1 }, mediaType: { previews: ['b'] } }),
  ]) {
    fc.assert(
      fc.property(options, ({ data, ...rest }) => {
        const o = noContent.includes(rest.method) ? rest : { ...rest, data };
        assert.deepEqual(e(o), e.parse(e.merge(o)));
      }),
      { numRuns: rounds(40, 400) },
    );
  }
});

test('neither endpoint nor merge nor defaults changes what it is given', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
      fc.dictionary(fc.stringMatching(/^[a-z-]+$/), fc.constant('x'), { noNullPrototype: true }),
      (parameters, headers) => {
        const options = {
          ...parameters,
          headers,
          url: '/x',
          method: 'POST',
          baseUrl: 'https://a.example',
          mediaType: { previews: ['a'] },
          request: {},
        };
        const before = structuredClone(options);
        endpoint.defaults(options)(options);
        endpoint.merge(options);
        endpoint.parse(endpoint.merge(options));
        assert.deepEqual(options, before);
      },
    ),
    { numRuns: rounds(40, 400) },
  );
});

test('a result shares nothing with its caller or with another result', () => {
  const labels = [{ name: 'a' }];
  const e = endpoint.defaults({ labels });
  labels[0] = { name: 'changed' };
  const one = e('POST /x') as { body: { labels: { name: string }[] }; headers: Record<string, string> };
  assert.deepEqual(one.body, { labels: [{ name: 'a' }] });
  one.body.labels[0] = { name: 'changed' };
  one.headers.accept = 'changed';
  assert.deepEqual(e('POST /x').body, { labels: [{ name: 'a' }] });
  assert.equal(e('POST /x').headers.accept, 'application/vnd.github.v3+json');

  const data = { deep: { a: 1 } };
  const { body } = endpoint('PUT /x', { data }) as { body: typeof data };
  body.deep.a = 2;
  assert.equal(data.deep.a, 1);

  const merged = endpoint.merge('/x', { data, list: data });
  (merged.list as typeof data).deep.a = 3;
  merged.headers.accept = 'changed';
  assert.equal(data.deep.a, 1);
  assert.equal(endpoint.DEFAULTS.headers.accept, 'application/vnd.github.v3+json');
});

test('DEFAULTS are frozen at every depth', () => {
  const { DEFAULTS } = endpoint.defaults({ list: [{ a: 1 }], mediaType: { previews: ['a'] } });
  const check = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    assert.ok(Object.isFrozen(value));
    for (const member of Object.values(value)) check(member);
  };
  check(DEFAULTS);
  check(endpoint.DEFAULTS);
});

test('another vendor has its own base URL, user agent, accept header and defaults', () => {
  const acme = createEndpoint({
    baseUrl: 'https://api.acme.example/v1/',
    userAgent: 'acme-cli/2',
    accept: 'application/vnd.acme.v2+json',
    headers: { 'X-Team': 'a' },
    tenant: 7,
  });
  assert.deepEqual(acme('/things/{id}', { id: 1 }), {
    method: 'get',
    url: 'https://api.acme.example/v1/things/1?tenant=7',
    headers: { accept: 'application/vnd.acme.v2+json', 'user-agent': 'acme-cli/2', 'x-team': 'a' },
  });
  assert.equal(
    createEndpoint({ baseUrl: 'https://api.acme.example' })('/x').headers.accept,
    'application/json',
  );
  assert.throws(() => createEndpoint({ baseUrl: 'https://a.example', userAgent: 'a\r\nb' }), {
    code: 'INVALID_HEADER',
  });
});
