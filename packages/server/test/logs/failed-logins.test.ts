import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecentFailedLogins } from '../../src/runtime/metrics/failed-logins.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';

const minute = 60_000;

describe('the count of failed logins', () => {
  it('is that of the last hour and of the hour before', () => {
    let now = 10 * minute;
    const failed = new RecentFailedLogins(() => now);
    for (const minutes of [0, 30, 59]) {
      now = (10 + minutes) * minute;
      failed.add();
    }
    assert.deepEqual(failed.read(), { lastHour: 3, hourBefore: 0 });
    now = 70 * minute;
    assert.deepEqual(failed.read(), { lastHour: 2, hourBefore: 1 });
    now = 130 * minute;
    assert.deepEqual(failed.read(), { lastHour: 0, hourBefore: 2 });
    failed.add();
    assert.deepEqual(failed.read(), { lastHour: 1, hourBefore: 2 });
    now = 1000 * minute;
    assert.deepEqual(failed.read(), { lastHour: 0, hourBefore: 0 });
  });

  it('has failures of users, and neither successes nor errors of a module', () => {
    const metrics = new Metrics('1');
    for (const outcome of ['success', 'failure', 'error'] as const) metrics.loginEnded('form', outcome);
    assert.deepEqual(metrics.failedLogins(), { lastHour: 1, hourBefore: 0 });
  });
});
