import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createEndpoint,
  EndpointError,
  endpoint,
  expandTemplate,
  toCurl,
  toFetch,
} from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import fc from 'fast-check';

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cyclic(): unknown[] {
  const list: unknown[] = [1];
  list.push(list, { list });
  return list;
}

function nested(wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let depth = 0; depth < 50_000; depth++) value = wrap(value);
  return value;
}

function iterableOfItself(): object {
  const iterable = {
    *[Symbol.iterator]() {
      yield iterable;
    },
  };
  return iterable;
}

/** Each of these makes JavaScript itself throw, when it is read, copied, or written as text or JSON. */
const HOSTILE = new Map<string, () => unknown>([
  ['cyclic data', cyclic],
  ['a bigint in a list in a list', () => [[1n]]],
  ['a bigint in data', () => ({ a: [1n] })],
  ['a revoked proxy', revoked],
  ['a revoked proxy in a list', () => [revoked()]],
  ['a throwing getter', () => Object.defineProperty({}, 'a', { enumerable: true, get: () => fail() })],
  ['a throwing toJSON', () => ({ toJSON: fail })],
  ['a throwing toString', () => ({ toString: fail, [Symbol.toPrimitive]: fail })],
  ['a throwing iterator', () => ({ [Symbol.iterator]: fail })],
  ['what throws null', () => ({ toJSON: () => fail(null), [Symbol.iterator]: () => fail(null) })],
  ['what throws a revoked proxy', () => ({ toJSON: () => fail(revoked()) })],
  ['what throws what cannot be text', () => ({ toJSON: () => fail({ message: Symbol('x') }) })],
  ['a list deeper than the stack', () => nested((inner) => [inner])],
  ['data deeper than the stack', () => nested((a) => ({ a }))],
  ['no prototype', () => Object.create(null)],
  ['a symbol', () => Symbol('x')],
  ['a function', () => fail],
]);

function fail(reason: unknown = new RangeError('no such thing')): never {
  throw reason;
}

type Call = (value: never) => unknown;

const CALLS = new Map<string, Call>([
  ['options', (value) => endpoint('POST /x', value)],
  ['options alone', (value) => endpoint(value)],
  ['parameters', (value) => endpoint('/x', {}, value)],
  ['a query parameter', (a) => endpoint('/x', { a })],
  ['a path variable', (a) => endpoint('/{+a}{?a*}', { a })],
  ['a body parameter', (a) => toFetch(endpoint('POST /x', { a }))],
  ['data', (data) => toFetch(endpoint('POST /x', { data }))],
  ['a URL', (url) => endpoint({ url })],
  ['a method', (method) => endpoint({ method, url: '/x' })],
  ['a base URL', (baseUrl) => endpoint('/x', { baseUrl })],
  ['headers', (headers) => endpoint('/x', { headers })],
  ['headers as a list', (header) => endpoint('/x', { headers: [header] })],
  ['a header', (a) => endpoint('/x', { headers: { a } })],
  ['a media type', (mediaType) => endpoint('/x', { mediaType })],
  ['a format', (format) => endpoint('/x', { mediaType: { format } })],
  ['previews', (previews) => endpoint('/graphql', { mediaType: { previews } })],
  ['a preview', (preview) => endpoint('/graphql', { mediaType: { previews: [preview] } })],
  ['defaults', (value) => endpoint.defaults(value)],
  ['a default', (a) => endpoint.defaults({ a })('POST /x')],
  ['merge', (value) => endpoint.merge(value)],
  ['parse', (value) => endpoint.parse(value)],
  ['createEndpoint', (value) => createEndpoint(value)],
  ['a configuration', (value) => createEndpoint({ baseUrl: value, userAgent: value, accept: value })],
  ['a template', (value) => expandTemplate(value, {})],
  ['variables', (value) => expandTemplate('{a}', value)],
  ['a request to fetch', (value) => toFetch(value)],
  ['a body to fetch', (body) => toFetch({ method: 'post', url: '/x', headers: {}, body })],
  ['a request for curl', (value) => toCurl(value)],
  ['options for curl', (value) => toCurl(endpoint('/x'), value)],
]);

/** There is an answer, or an EndpointError. */
function check(name: string, call: Call, value: unknown): void {
  try {
    call(value as never);
  } catch (error) {
    assert.ok(error instanceof EndpointError, `${name}: ${error}`);
    assert.match(
      error.message,
      /^([!-~]+ .*: e|E)xpected .+, got ".*"$|^[!-~]+ .+: (a value for ".*" is missing|[A-Z]+ sends no "data")$/,
    );
  }
}

for (const [name, call] of CALLS) {
  test(`${name} of any kind may be an EndpointError, and no other`, () => {
    for (const [what, make] of HOSTILE) check(what, call, make());
    for (const value of [
      undefined,
      null,
      true,
      0,
      Number.NaN,
      1n,
      '',
      'x',
      [],
      [null],
      {},
      new Date(Number.NaN),
    ]) {
      check(String(value), call, value);
    }
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true }), (value) =>
        check('anything', call, value),
      ),
      { numRuns: rounds(25, 200) },
    );
  });
}

test('what JavaScript threw is the cause of the EndpointError', () => {
  assert.throws(
    () => endpoint('/x', { a: { toJSON: fail } }),
    (error: EndpointError) => {
      assert.equal(error.code, 'INVALID_VALUE');
      assert.equal(error.message, 'GET /x: expected readable values, got "no such thing"');
      assert.ok(error.cause instanceof RangeError);
      return true;
    },
  );
  for (const build of [
    () => endpoint('/x', { a: [cyclic()] }),
    () => endpoint('POST /x', { a: cyclic() }),
    () => toFetch(endpoint('POST /x', { a: 1n })),
    () => endpoint('/x', { a: [[1n]] }),
    () => endpoint('/x', { a: iterableOfItself() }),
    () => endpoint('/x', { a: revoked() }),
    () => endpoint('/x', {}, revoked() as Record<string, unknown>),
  ]) {
    assert.throws(build, { name: 'EndpointError', code: 'INVALID_VALUE' });
  }
});

test('no error shows the password of a URL, or what values put into its query', () => {
  for (const build of [
    () => endpoint('/x', { baseUrl: 'https://user:secret@{host}' }),
    () => endpoint('https://user:secret@a.example{+x}', { x: '.evil.example' }),
    () => endpoint('/{+x}{?access_token}', { x: '../..', access_token: 'secret' }),
  ]) {
    assert.throws(build, (error: Error) => {
      assert.doesNotMatch(error.message, /secret|user/);
      return true;
    });
  }
});
