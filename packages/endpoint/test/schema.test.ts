import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EndpointError, endpoint } from '@watchword/endpoint';
import * as v from 'valibot';

const parameters = v.strictObject({
  owner: v.string(),
  page: v.pipe(
    v.number(),
    v.transform((page) => page - 1),
  ),
});

test('a schema sees the parameters of defaults and call, and what it makes of them is sent', () => {
  const e = endpoint.defaults({ owner: 'o' });
  for (const schema of [parameters, { parameters }]) {
    assert.equal(e('GET /{owner}' as string, { schema, page: 2 }).url, 'https://api.github.com/o?page=1');
    assert.equal(e.url('GET /{owner}', { schema }, { page: 3 }), 'https://api.github.com/o?page=2');
  }
  const body = e('POST /{owner}', { schema: parameters, page: 2 }).body;
  assert.deepEqual(body, { page: 1 });
});

test('a schema of data sees data alone', () => {
  const schema = { data: v.object({ title: v.pipe(v.string(), v.trim()) }) };
  const e = endpoint.defaults({ schema });
  assert.deepEqual(e('POST /x', { data: { title: ' t ' }, anything: 1 }).body, { title: 't' });
  assert.throws(() => e('POST /x', {}), {
    code: 'SCHEMA_MISMATCH',
    message: 'POST /x: expected what its schema accepts as "data"',
  });
});

test('a value that its schema refuses is an error with its path, and without its text', () => {
  assert.throws(
    () =>
      endpoint('POST /x', {
        schema: { data: v.object({ user: v.object({ password: v.literal('a') }) }) },
        data: { user: { password: 'secret' } },
      }),
    (error: EndpointError) => {
      assert.equal(error.code, 'SCHEMA_MISMATCH');
      assert.equal(error.message, 'POST /x: expected what its schema accepts as "user.password"');
      assert.equal((error.cause as readonly object[]).length, 1);
      return true;
    },
  );
});

test('any library with Standard Schema will do, if it answers at once', () => {
  const own = (validate: (value: unknown) => object) => ({ '~standard': { validate: validate as never } });
  assert.equal(
    endpoint.url('GET /x', { schema: own(() => ({ value: { a: 1 } })) }),
    'https://api.github.com/x?a=1',
  );
  const asFunction = Object.assign(
    () => 1,
    own(() => ({ value: {} })),
  );
  assert.equal(endpoint.url('GET /x', { schema: asFunction, b: 1 }), 'https://api.github.com/x');
  assert.throws(() => endpoint('GET /x', { schema: own(async () => ({ value: {} })) }), {
    code: 'INVALID_OPTION',
  });
  assert.throws(() => endpoint('GET /x', { schema: 'public' as never }), { code: 'INVALID_OPTION' });
});
