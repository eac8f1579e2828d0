import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { axisOf, bucketsOf, type Range, ranges, seriesOf } from '../src/charts/figures.ts';

const [day, week, month] = ranges as [Range, Range, Range];
const hour = 3_600_000;

describe('the buckets of a chart', () => {
  const zone = process.env.TZ;
  before(() => {
    process.env.TZ = 'Europe/Amsterdam';
  });
  after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('are the last hours, with the current one and with those without tokens', () => {
    const now = Date.parse('2030-01-15T12:30:00Z');
    const issued = [
      { time: Date.parse('2030-01-15T12:00:00Z'), grantType: 'implicit', tokens: 2 },
      { time: Date.parse('2030-01-15T12:00:00Z'), grantType: 'client_credentials', tokens: 3 },
      { time: Date.parse('2030-01-14T13:00:00Z'), grantType: 'implicit', tokens: 1 },
    ];
    const buckets = bucketsOf(issued, day, now);
    assert.equal(buckets.length, 24);
    assert.equal(buckets[0]?.total, 1);
    assert.deepEqual(buckets.at(-1), {
      from: Date.parse('2030-01-15T12:00:00Z'),
      until: Date.parse('2030-01-15T13:00:00Z'),
      tokens: { implicit: 2, client_credentials: 3 },
      total: 5,
    });
  });

  it('begin at midnight of the local time, and lose no token when the clocks change', () => {
    // Clocks in Amsterdam go back on the 27th of October 2030.
    const now = Date.parse('2030-10-30T10:30:00Z');
    const issued = Array.from({ length: month.hours }, (_, index) => ({
      time: Math.floor(now / hour) * hour - index * hour,
      grantType: 'implicit',
      tokens: 1,
    }));
    for (const range of [week, month]) {
      const wanted = issued.slice(0, range.hours);
      const buckets = bucketsOf(wanted, range, now);
      assert.equal(
        buckets.reduce((sum, { total }) => sum + total, 0),
        range.hours,
      );
      for (const { from } of buckets) {
        const date = new Date(from);
        assert.equal(date.getHours() % range.bucketHours, 0, date.toString());
        assert.equal(date.getMinutes(), 0);
      }
    }
    const long = bucketsOf(issued, month, now).find(({ from, until }) => until - from === 25 * hour);
    assert.equal(long?.total, 25);
  });
});

describe('an axis', () => {
  it('ends at a round number that is not below the highest value, with few lines', () => {
    for (const highest of [0, 1, 2, 3, 5, 7, 10, 37, 99, 100, 101, 4096, 123_456]) {
      const { end, ticks } = axisOf(highest);
      assert.ok(end >= highest && end <= Math.max(4, highest * 2), `${highest}: ${end}`);
      assert.ok(ticks.length >= 2 && ticks.length <= 5, `${highest}: ${ticks}`);
      assert.ok(ticks.every(Number.isInteger));
      assert.deepEqual([ticks[0], ticks.at(-1)], [0, end]);
    }
  });
});

describe('the series of a chart', () => {
  it('have a fixed order and colour, also for a new grant type', () => {
    const found = seriesOf(new Set(['urn:new', 'implicit', 'client_credentials']));
    assert.deepEqual(
      found.map(({ key, color }) => [key, color]),
      [
        ['client_credentials', 0],
        ['implicit', 3],
        ['urn:new', 5],
      ],
    );
  });
});
