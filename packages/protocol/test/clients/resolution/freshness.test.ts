import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secondsFresh } from '../../../src/clients/resolution/freshness.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('how long a document of a client is used', () => {
  for (const [headers, seconds] of [
    [{}, 300],
    [{ 'cache-control': 'max-age=3600' }, 3600],
    [{ 'cache-control': 'public, Max-Age="7200"' }, 7200],
    [{ 'cache-control': 'max-age=3600, s-maxage=600' }, 600],
    [{ 'cache-control': 'max-age=3600', age: '600' }, 3000],
    [{ 'cache-control': 'max-age=0' }, 60],
    [{ 'cache-control': 'no-store, max-age=3600' }, 60],
    [{ 'cache-control': 'no-cache' }, 60],
    [{ 'cache-control': 'max-age=99999999999999999999' }, 86_400],
    [{ 'cache-control': 'max-age=31536000' }, 86_400],
    [{ 'cache-control': 'max-age=-1' }, 300],
    [{ 'cache-control': ['private', 'max-age=120'] }, 120],
    [{ expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 3600],
    [{ expires: 'Thu, 01 Jan 2026 01:00:00 GMT', date: 'Thu, 01 Jan 2026 00:30:00 GMT' }, 1800],
    [{ expires: '0' }, 60],
    [{ 'cache-control': 'max-age=120', expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 120],
    [{ 'cache-control': 'max-age=3600', age: 'old' }, 3600],
  ] as const) {
    it(`is ${seconds} s for ${JSON.stringify(headers)}`, () => {
      assert.equal(secondsFresh(headers, now), seconds);
    });
  }
});
