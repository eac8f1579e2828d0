import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { endpoint, type Options, toCurl, toFetch } from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
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

/** What a person sees of a call. */
function curlOf(route: string, options: Options = {}): string {
  return toCurl(endpoint(route, options));
}

test('toCurl hides the user information of a URL', () => {
  assert.match(curlOf('https://user:pass@a.example/x'), /'https:\/\/\[redacted\]@a\.example\/x'/);
  assert.match(
    curlOf('/x', { baseUrl: 'https://to%40ken@a.example/b' }),
    /'https:\/\/\[redacted\]@a\.example\/b\/x'/,
  );
  assert.match(
    curlOf('POST /x', { hook: 'https://user:pass@b.example/?token=1' }),
    /"hook":"https:\/\/\[redacted\]@b\.example\/\?token=\[redacted\]"/,
  );
  assert.match(curlOf('https://a.example/@me?to=b@c'), /'https:\/\/a\.example\/@me\?to=b@c'/);
});

const SECRETS = [
  ...['access_token', 'refresh_token', 'id_token', 'token', 'client_secret', 'secret', 'password', 'passwd'],
  ...['api_key', 'apikey', 'key', 'private_key', 'code', 'code_verifier', 'client_assertion', 'SAMLResponse'],
  ...[
    'sig',
    'pass',
    'user_pwd',
    'X-Amz-Signature',
    'X-Amz-Credential',
    'jwt',
    'otp',
    'session_id',
    'Authorization',
  ],
];
const ORDINARY = [
  'author',
  'authors',
  'keyword',
  'page',
  'status_code',
  'grant_type',
  'client_id',
  'q',
  'signal',
  'state',
];

test('toCurl hides the values of parameters that are usually secret, in the query, the fragment and any body', () => {
  for (const [names, shown] of [
    [SECRETS, '[redacted]'],
    [ORDINARY, 'a1b2'],
  ] as const) {
    for (const name of names) {
      const data = { [name]: 'a1b2' };
      assert.ok(curlOf('/x', data).includes(`?${name}=${shown}'`), name);
      assert.ok(
        curlOf(`/x?a=1&${name}=a1b2#${name}=a1b2`).includes(`?a=1&${name}=${shown}#${name}=${shown}'`),
        name,
      );
      assert.ok(curlOf('POST /x', { a: [data] }).includes(`'{"a":[{"${name}":"${shown}"}]}'`), name);
      assert.ok(curlOf('POST /x', { data: JSON.stringify(data) }).includes(`'{"${name}":"${shown}"}'`), name);
      assert.ok(curlOf('POST /x', { data: `a=1&${name}=a1b2` }).includes(`'a=1&${name}=${shown}'`), name);
    }
  }
  assert.ok(
    curlOf('/x?acc%65ss_token=1&%ff=2&%5B%5D=3').includes(
      '?acc%65ss_token=[redacted]&%ff=[redacted]&%5B%5D=3',
    ),
  );
});

test('toCurl hides the values of headers that are usually secret', () => {
  for (const name of [
    'Authorization',
    'Proxy-Authorization',
    'Cookie',
    'X-Api-Key',
    'X-Auth',
    'DPoP',
    'X-Client-Secret',
  ]) {
    assert.ok(
      curlOf('/x', { headers: { [name]: 'a1b2' } }).includes(`'${name.toLowerCase()}: [redacted]'`),
      name,
    );
  }
  assert.ok(
    curlOf('/x', { headers: { referer: 'https://a:b@c.example/?code=1&a=2' } }).includes(
      "'referer: https://[redacted]@c.example/?code=[redacted]&a=2'",
    ),
  );
});

test('toCurl shows what has no secret as it was written, and all of it when asked', () => {
  const text = '{ "big": 12345678901234567890 }';
  assert.ok(curlOf('POST /x', { data: text }).endsWith(`--data-raw '${text}'`));
  const result = endpoint('POST https://user:pass@a.example/x?token=1', {
    password: 'p',
    headers: { cookie: 'c' },
  });
  const command = toCurl(result, { showSecrets: true });
  for (const shown of ["'https://user:pass@a.example/x?token=1'", "'cookie: c'", '\'{"password":"p"}\'']) {
    assert.ok(command.includes(shown), shown);
  }
});

test('a shell reads back from toCurl exactly what went in', { skip: process.platform === 'win32' }, () => {
  const text = anyText().map((value) => value.replace(/\0/g, '').toWellFormed());
  fc.assert(
    fc.property(text, text, (title, x) => {
      const result = endpoint('POST /{x}', { x: `x${x}`, title });
      const read = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${toCurl(result)}`], {
        encoding: 'utf8',
      }).split('\0');
      assert.equal(read[2], result.url);
      assert.equal(read.at(-2), JSON.stringify({ title }));
    }),
    { numRuns: rounds(5, 50) },
  );
});
