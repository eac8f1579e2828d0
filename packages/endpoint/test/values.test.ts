import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import vm from 'node:vm';
import { endpoint, expandTemplate } from '@watchword/endpoint';

/** Has a text of its own. */
class Money {
  readonly #cents = 150;
  toString(): string {
    return (this.#cents / 100).toFixed(2);
  }
}

/** Has properties that count, and no text of its own. */
class Box {
  readonly left = 1;
  readonly top = 2;
}

/** Has neither. */
class Opaque {
  readonly #hidden = 1;
  reveal(): number {
    return this.#hidden;
  }
}

function* numbers(): Generator<number> {
  yield* [1, 2];
}

function entriesOf(data: { append(name: string, value: string): void }): typeof data {
  data.append('a', '1');
  data.append('b', 'x y');
  return data;
}

/** `exploded` is what `{?v*}` makes of a value, where it is not what the query makes of it. */
function assertQuery(value: () => NonNullable<unknown>, query: string, exploded = `v=${query}`): void {
  const name = String(value);
  assert.equal(endpoint('/x', { v: value() }).url, `https://api.github.com/x?v=${query}`, name);
  assert.equal(expandTemplate('{?v*}', { v: value() }), `?${exploded}`, name);
  assert.equal(endpoint('/x/{v}', { v: value() }).url, `https://api.github.com/x/${query}`, name);
}

describe('a value in a URL', () => {
  test('is a list where it is a set or another iterable', () => {
    assertQuery(() => new Set([1, 'a b']), '1,a%20b', 'v=1&v=a%20b');
    assertQuery(() => numbers(), '1,2', 'v=1&v=2');
    assertQuery(() => new Map([[1, 2]]).values(), '2');
    assertQuery(() => ({ [Symbol.iterator]: numbers }), '1,2', 'v=1&v=2');
  });

  test('is an associative array where it is a map, entries, or what has entries', () => {
    const pairs = ['a,1,b,x%20y', 'a=1&b=x%20y'] as const;
    assertQuery(() => new Map(Object.entries({ a: 1, b: 'x y' })), ...pairs);
    assertQuery(() => Object.entries({ a: 1, b: 'x y' }), ...pairs);
    assertQuery(() => new Map(Object.entries({ a: 1, b: 'x y' })).entries(), ...pairs);
    assertQuery(() => entriesOf(new URLSearchParams()), ...pairs);
    assertQuery(() => entriesOf(new Headers()), ...pairs);
    assertQuery(() => entriesOf(new FormData()), ...pairs);
    assertQuery(() => Object.assign(Object.create(null), { a: 1, b: 'x y' }), ...pairs);
    assertQuery(() => vm.runInNewContext('({ a: 1, b: "x y" })'), ...pairs);
  });

  test('keeps the order of a map, and each of the values that a name has', () => {
    assertQuery(() => new Map([[2, 'b'], [1, 'a']] as const), '2,b,1,a', '2=b&1=a'); // biome-ignore format: short
    assertQuery(() => new URLSearchParams('a=1&b=2&a=3'), 'a,1,b,2,a,3', 'a=1&b=2&a=3');
  });

  test('is the primitive where it is a boxed one', () => {
    assertQuery(() => Object('ab'), 'ab');
    assertQuery(() => Object(5), '5');
    assertQuery(() => Object(false), 'false');
    assertQuery(() => Object(7n), '7');
    assertQuery(() => [Object('ab'), Object(5)], 'ab,5', 'v=ab&v=5');
    assert.equal(expandTemplate('{v:1}', { v: Object('ab') }), 'a');
  });

  test('is what its toJSON gives, or else its own toString', () => {
    assertQuery(() => new Date(0), '1970-01-01T00%3A00%3A00.000Z');
    assertQuery(() => new URL('https://a.example/b'), 'https%3A%2F%2Fa.example%2Fb');
    assertQuery(() => ({ toJSON: () => [1, 2] }), '1,2', 'v=1&v=2');
    assertQuery(() => new Money(), '1.50');
    assertQuery(() => [new Money(), { toString: () => 'x' }], '1.50,x', 'v=1.50&v=x');
    assert.equal(expandTemplate('{v:1}', { v: new Money() }), '1');
  });

  test('is its properties where it has neither', () => {
    assertQuery(() => new Box(), 'left,1,top,2', 'left=1&top=2');
    assertQuery(
      () => JSON.parse('{"toJSON":1,"toString":"x"}'),
      'toJSON,1,toString,x',
      'toJSON=1&toString=x',
    );
  });

  test('is sent as JSON inside another value, also when it is a set, a map or has toJSON', () => {
    for (const [value, json] of [
      [[[1, new Set([2])]], '[1,[2]]'],
      [[['a', 1, 2]], '["a",1,2]'],
      [[[new Map([['a', new Date(0)]])]], '[{"a":"1970-01-01T00:00:00.000Z"}]'],
      [[{ a: new URLSearchParams('b=1') }], '{"a":[["b","1"]]}'],
      [[{ a: new Money() }], '{"a":"1.50"}'],
      [[[[]]], '[[]]'],
    ]) {
      assert.equal(expandTemplate('{v}', { v: value }), encodeURIComponent(json as string));
    }
  });

  test('is left out where it is empty, and only there', () => {
    for (const v of [null, undefined, [], {}, new Set(), new Map(), new URLSearchParams(), [null]]) {
      assert.equal(endpoint('/x', { v }).url, 'https://api.github.com/x');
    }
  });

  test('is an error where it is nothing that a URL can hold', () => {
    for (const value of [
      Buffer.from('x'),
      new Uint8Array(2),
      new DataView(new ArrayBuffer(2)),
      new ArrayBuffer(2),
      new Blob(['x']),
      new ReadableStream(),
      Readable.from(['x']),
      Promise.resolve(1),
      new WeakMap(),
      new Opaque(),
      new Date(Number.NaN),
      { toJSON: () => null },
      () => 1,
      class {},
      Symbol('x'),
      Object(Symbol('x')),
    ]) {
      for (const v of [value, [value], { a: value }, [[value]], new Set([value])]) {
        for (const build of [() => endpoint('/x', { v }), () => expandTemplate('{+v}{?v*}', { v })]) {
          assert.throws(
            build,
            { name: 'EndpointError', code: 'INVALID_VALUE' },
            Object.prototype.toString.call(value),
          );
        }
      }
    }
    assert.throws(() => endpoint('/x', { v: Promise.resolve(1) }), {
      message: 'GET /x: expected text, number, list or data as "v", got "[object Promise]"',
    });
  });
});

describe('a value in a JSON body', () => {
  test('is a list where it is a set, and an object where it is a map', () => {
    const { body } = endpoint('POST /x', { ids: new Set([1, new Map([['a', new Set()]])]), none: new Map() });
    assert.deepEqual(body, { ids: [1, { a: [] }], none: {} });
    assert.deepEqual(endpoint('POST /x', { data: new Map([['a', 1]]) }).body, { a: 1 });
  });

  test('is an error where JSON would leave it out or make an empty object of it', () => {
    for (const value of [
      () => 1,
      Object.assign(() => 1, { a: 1 }),
      Symbol('x'),
      Promise.resolve(1),
      new URLSearchParams('a=1'),
      new FormData(),
      new Blob(['x']),
      new ArrayBuffer(2),
      new WeakMap(),
      numbers(),
      /x/,
      new Error('x'),
    ]) {
      for (const parameters of [
        { a: value },
        { a: [value] },
        { a: { b: new Set([value]) } },
        { data: { a: value } },
      ]) {
        assert.throws(() => endpoint('POST /x', parameters), {
          code: 'INVALID_VALUE',
          message: `POST /x: expected JSON data as "${Object.keys(parameters)[0]}", got "${Object.prototype.toString.call(value)}"`,
        });
      }
    }
    assert.throws(() => endpoint('POST /x', { data: () => 1 }), { code: 'INVALID_VALUE' });
  });

  test('is itself where JSON can hold it', () => {
    for (const value of [
      new Date(0),
      Object('ab'),
      Object(5),
      new Box(),
      { toJSON: () => 1 },
      vm.runInNewContext('({})'),
    ]) {
      const { body } = endpoint('POST /x', { a: value });
      assert.equal(JSON.stringify(body), JSON.stringify({ a: value }));
    }
  });
});

test('a default that is a set is not what its caller makes of it later', () => {
  const ids = new Set([1]);
  const e = endpoint.defaults({ ids });
  ids.add(2);
  assert.equal(e('/x').url, 'https://api.github.com/x?ids=1');
});

describe('a URL object', () => {
  test('is a base URL', () => {
    for (const build of [
      (baseUrl: URL) => endpoint('/a', { baseUrl, p: 1 }),
      (baseUrl: URL) => endpoint.defaults({ baseUrl })('/a', { p: 1 }),
    ]) {
      assert.equal(build(new URL('https://b.example/v1/?k=1')).url, 'https://b.example/v1/a?k=1&p=1');
    }
    assert.equal(endpoint.merge({ baseUrl: new URL('https://b.example') }).baseUrl, 'https://b.example/');
  });

  test('is the URL of a call', () => {
    const url = new URL('https://b.example/a?x=1#f');
    assert.equal(endpoint({ url, p: 1 }).url, 'https://b.example/a?x=1&p=1#f');
    assert.equal(endpoint.merge({ url }).url, url.href);
  });
});
