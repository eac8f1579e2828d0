import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserCookieJar } from '../../src/http/browser-cookies.ts';
import { outdatedHandles, waitingPairs, waitingTexts } from '../../src/http/waiting-cookies.ts';

const name = 'watchword_waiting';
const handleOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const pairsOf = (count: number, length: (number: number) => number = () => 0) =>
  Array.from({ length: count }, (_, number) => `${name}_${handleOf(number)}=${'x'.repeat(length(number))}`);
const requestWith = (pairs: readonly string[]) => ({
  ...{ id: '1', method: 'GET', url: '/authorize', source: '127.0.0.1', route: '/authorize' },
  ...{ parameters: {}, body: undefined, headers: { cookie: pairs.join('; ') } },
});

/** The cookies that a server sets, by their names without those of the server and its path. */
function cookiesOf(baseUrl: string) {
  const values = { binding: 'x', session: 'x', device: 'x', trusted: 'x', lastAuthenticator: 'x' };
  const jar = browserCookieJar(baseUrl, 600);
  const waiting = { handle: handleOf(1), authState: 'x' };
  return jar.changed(requestWith([]), { ...values, waiting }).map((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    return {
      name: pair.split('=')[0] ?? '',
      attributes: attributes.filter((each) => !/^Max-Age/.test(each)),
    };
  });
}

describe('the cookies of a browser', () => {
  it('are for one server alone, and for no script and no other site', () => {
    const common = ['HttpOnly', 'SameSite=Lax'];
    for (const [baseUrl, name, attributes] of [
      ['http://localhost', /^watchword_[a-z]+(_[\d-]+)?$/, ['Path=/', ...common]],
      ['https://id.example', /^__Host-watchword_[a-z]+(_[\d-]+)?$/, ['Path=/', 'Secure', ...common]],
      [
        'https://id.example/sso',
        /^__Secure-watchword_[a-z]+\.sso(_[\d-]+)?$/,
        ['Path=/sso', 'Secure', ...common],
      ],
    ] as const) {
      const cookies = cookiesOf(baseUrl);
      assert.equal(cookies.length, 6);
      for (const cookie of cookies) {
        assert.match(cookie.name, name);
        assert.deepEqual(cookie.attributes.toSorted(), attributes.toSorted(), cookie.name);
      }
    }
  });

  it('have other names where one server is below the path of another', () => {
    const baseUrls = ['http://localhost', 'http://localhost/auth', 'http://localhost/auth/v2'];
    const names = baseUrls.flatMap((baseUrl) => cookiesOf(baseUrl).map(({ name }) => name));
    assert.equal(new Set(names).size, 3 * 6);
  });

  const jar = browserCookieJar('http://127.0.0.1:8080', 600);

  it('are each read once, however many states wait', () => {
    const count = 1000;
    let reads = 0;
    const counted = new Proxy(
      pairsOf(count, () => 100),
      {
        get(pairs, key, receiver) {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(pairs, key, receiver);
        },
      },
    );
    const outdated = outdatedHandles(waitingTexts(counted, name), '');
    assert.equal(reads, count);
    assert.ok(outdated.size > count / 2);
    assert.equal(waitingPairs(counted, name, outdated).length, outdated.size);
    assert.equal(reads, 2 * count);
    assert.equal(waitingPairs(counted, name).length, count);
    assert.equal(reads, 3 * count);
  });

  it('are removed in at most twenty lines, the largest first', () => {
    const lengths = (number: number) => (number * 7) % 100;
    const lines = jar.forgetWaiting(requestWith(pairsOf(100, lengths)));
    const removed = lines.map((line) => Number(/([0-9]{12})=;/.exec(line)?.[1]));
    assert.deepEqual(
      removed.map(lengths),
      Array.from({ length: 20 }, (_, index) => 99 - index),
    );
  });

  it('are set and removed in at most twenty lines of an answer', () => {
    const authState = 'y'.repeat(3 * 3900);
    const lines = jar.changed(requestWith(pairsOf(100, () => 90)), {
      ...{ binding: 'b', session: 's', lastAuthenticator: 'a' },
      waiting: { handle: handleOf(100), authState },
    });
    assert.equal(lines.length, 20);
    assert.equal(lines.filter((line) => line.includes(handleOf(100))).length, 3);
    assert.equal(lines.filter((line) => line.includes('Max-Age=0')).length, 14);
  });
});
