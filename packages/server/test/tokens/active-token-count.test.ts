import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@watchword/testkit';
import { createLogger } from '../../src/runtime/log/logger.ts';
import { ActiveTokenCount } from '../../src/runtime/metrics/active-token-count.ts';

/** A count over a store that answers with the number of the call, after `duration` milliseconds of its clock. */
function counting(duration = 0, failures: readonly number[] = [], throwsAtOnce = false) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = createLogger(
    'info',
    { stream, dropped: () => 0, flush: async () => {} },
    { version: '0.0.0' },
  );
  let calls = 0;
  const store = {
    countActiveTokens() {
      calls += 1;
      clock.advance(duration);
      const error = failures.includes(calls) ? new Error('no such disk') : undefined;
      if (error !== undefined && throwsAtOnce) throw error;
      return error === undefined ? Promise.resolve(calls) : Promise.reject(error);
    },
  };
  return { tokens: new ActiveTokenCount({ store, clock, logger }), clock, lines };
}

describe('the active tokens of the metrics', () => {
  it('are counted at most once a minute, and once for readers at the same time', async () => {
    const { tokens, clock } = counting();
    assert.deepEqual(await Promise.all([tokens.read(), tokens.read()]), [1, 1]);
    clock.advance(59_999);
    assert.equal(await tokens.read(), 1);
    clock.advance(1);
    assert.equal(await tokens.read(), 2);
  });

  it('are counted less often when the count takes long', async () => {
    const { tokens, clock } = counting(3000);
    assert.equal(await tokens.read(), 1);
    clock.advance(299_999);
    assert.equal(await tokens.read(), 1);
    clock.advance(1);
    assert.equal(await tokens.read(), 2);
  });

  it('are not known after a count that failed, and the log has the reason', async () => {
    const { tokens, clock, lines } = counting(0, [1]);
    assert.equal(await tokens.read(), undefined);
    assert.match(lines.join(''), /no such disk.*the active tokens could not be counted/);
    clock.advance(60_000);
    assert.equal(await tokens.read(), 2);
  });

  it('are counted again after a store threw before it returned a promise', async () => {
    const { tokens, clock } = counting(0, [1], true);
    assert.equal(await tokens.read(), undefined);
    clock.advance(60_000);
    assert.equal(await tokens.read(), 2);
  });
});
