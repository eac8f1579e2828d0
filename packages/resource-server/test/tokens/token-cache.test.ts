import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TokenCache } from '../../src/lookup/token-cache.ts';
import { buildTokenInfo } from '../../src/testing.ts';
import { FakeSystem } from '../support/fake-system.ts';

const lifetimes = { ttl: 300_000, maxEntries: 10, negativeTtl: 5000, staleIfError: 60_000 };

function cacheWith(changes: Partial<typeof lifetimes> = {}) {
  const system = new FakeSystem();
  return { system, cache: new TokenCache({ ...lifetimes, ...changes }, system) };
}

describe('the cache', () => {
  it('uses a successful answer for ttl and not a millisecond longer', () => {
    const { system, cache } = cacheWith();
    const info = buildTokenInfo();
    cache.accept('a', { info }, cache.readClocks());
    system.advance(299_999);
    assert.equal(cache.fresh('a'), info);
    system.advance(1);
    assert.equal(cache.fresh('a'), undefined);
  });

  it('measures from the lookup and not from the answer', () => {
    const { system, cache } = cacheWith();
    const asked = cache.readClocks();
    system.advance(4000);
    cache.accept('a', { info: buildTokenInfo() }, asked);
    system.advance(296_000);
    assert.equal(cache.fresh('a'), undefined);
  });

  it('uses no answer from the expiry of the token on, fresh or stale', () => {
    const { system, cache } = cacheWith();
    cache.accept('a', { info: buildTokenInfo({ expires_in: system.now() + 1000 }) }, cache.readClocks());
    system.advance(999);
    assert.ok(cache.fresh('a'));
    system.advance(1);
    assert.equal(cache.fresh('a'), undefined);
    assert.equal(cache.stale('a'), undefined);
  });

  it('keeps a stale answer for staleIfError beyond ttl, and none by default', () => {
    for (const [staleIfError, isThere] of [
      [60_000, true],
      [0, false],
    ] as const) {
      const { system, cache } = cacheWith({ staleIfError });
      cache.accept('a', { info: buildTokenInfo() }, cache.readClocks());
      system.advance(359_999);
      assert.equal(cache.stale('a') !== undefined, isThere);
      system.advance(1);
      assert.equal(cache.stale('a'), undefined);
    }
  });

  it('uses a rejection for negativeTtl, and removes the successful answer before it', () => {
    const { system, cache } = cacheWith();
    cache.accept('a', { info: buildTokenInfo() }, cache.readClocks());
    cache.reject('a', 'unknown', cache.readClocks());
    assert.equal(cache.fresh('a'), undefined);
    assert.equal(cache.stale('a'), undefined);
    system.advance(4999);
    assert.equal(cache.rejection('a'), 'unknown');
    system.advance(1);
    assert.equal(cache.rejection('a'), undefined);
  });

  it('keeps nothing where the lifetimes are 0', () => {
    const { cache } = cacheWith({ ttl: 0, negativeTtl: 0 });
    cache.accept('a', { info: buildTokenInfo() }, cache.readClocks());
    cache.reject('b', 'unknown', cache.readClocks());
    assert.equal(cache.fresh('a'), undefined);
    assert.equal(cache.stale('a'), undefined);
    assert.equal(cache.rejection('b'), undefined);
  });

  it('keeps successful answers during a flood of rejections', () => {
    const { cache } = cacheWith();
    cache.accept('good', { info: buildTokenInfo() }, cache.readClocks());
    for (let index = 0; index < 1000; index += 1)
      cache.reject(`made up ${index}`, 'unknown', cache.readClocks());
    assert.ok(cache.fresh('good'));
  });

  it('prolongs no answer when the clock is set back or the machine sleeps', () => {
    const setBack = cacheWith();
    setBack.cache.accept('a', { info: buildTokenInfo() }, setBack.cache.readClocks());
    setBack.system.setClock(-86_400_000);
    setBack.system.advance(300_000);
    assert.equal(setBack.cache.fresh('a'), undefined);

    const asleep = cacheWith();
    asleep.cache.accept('a', { info: buildTokenInfo() }, asleep.cache.readClocks());
    asleep.system.sleep(300_000);
    assert.equal(asleep.cache.fresh('a'), undefined);
  });

  it('uses no answer after ttl or expiry, for any change of the clocks', () => {
    const step = fc.record({
      kind: fc.constantFrom('advance', 'setClock', 'sleep'),
      by: fc.integer({ min: 0, max: 400_000 }),
    });
    fc.assert(
      fc.property(fc.nat({ max: 600_000 }), fc.array(step, { maxLength: 8 }), (life, steps) => {
        const { system, cache } = cacheWith();
        cache.accept('a', { info: buildTokenInfo({ expires_in: system.now() + life }) }, cache.readClocks());
        // What has truly passed since the question.
        let passed = 0;
        for (const { kind, by } of steps) {
          if (kind === 'setClock') system.setClock(-by);
          else {
            system[kind as 'advance' | 'sleep'](by);
            passed += by;
          }
          // Both clocks wrong in turn can hide no more than one of them saw.
          const seen = Math.max(system.monotonic(), system.now() - Date.UTC(2026, 0, 1));
          assert.ok(seen <= passed);
          if (cache.fresh('a')) assert.ok(seen < Math.min(300_000, life));
        }
      }),
    );
  });
});
