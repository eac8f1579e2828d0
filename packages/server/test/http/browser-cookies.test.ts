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

describe('the cookies of a browser', () => {
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
