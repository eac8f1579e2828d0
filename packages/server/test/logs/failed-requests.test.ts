import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failedRequests } from '../../src/http/failed-requests.ts';

/** The log of failed requests, with seconds that end when the test says so. */
function failures() {
  const lines: string[] = [];
  let work = () => {};
  let isWaiting = false;
  const log = failedRequests(
    {
      error({ err, requestId, count }: { err: Error; requestId: string; count?: number }, text: string) {
        lines.push(`${text}: ${err.message} ${requestId}${count === undefined ? '' : ` ${count}`}`);
      },
    } as Parameters<typeof failedRequests>[0],
    (later) => {
      assert.equal(isWaiting, false, 'one second runs at a time');
      [work, isWaiting] = [later, true];
    },
  );
  return {
    log: (message: string, requestId: string) => log(new Error(message), requestId),
    /** The lines of the second, which ends. */
    second() {
      isWaiting = false;
      work();
      return lines.splice(0);
    },
    isWaiting: () => isWaiting,
  };
}

describe('requests that fail for one reason', () => {
  it('are one line at once, and then one line a second with their number', () => {
    const { log, second, isWaiting } = failures();
    for (let each = 1; each <= 100; each += 1) log('disk is full', `r${each}`);
    assert.deepEqual(second(), [
      'a request failed: disk is full r1',
      'more requests failed for the same reason: disk is full r100 99',
    ]);
    for (let each = 1; each <= 50; each += 1) log('disk is full', `s${each}`);
    assert.deepEqual(second(), ['more requests failed for the same reason: disk is full s50 50']);
    assert.deepEqual(second(), []);
    assert.ok(!isWaiting());
    log('disk is full', 't1');
    assert.deepEqual(second(), ['a request failed: disk is full t1']);
  });

  it('are apart from those of another reason, of which there is a limited number', () => {
    const { log, second } = failures();
    for (let reason = 1; reason <= 100; reason += 1) log(`reason ${reason}`, `r${reason}`);
    const lines = second();
    assert.equal(lines.length, 21);
    assert.equal(lines[19], 'a request failed: reason 20 r20');
    assert.equal(lines[20], 'more requests failed for the same reason: reason 100 r100 80');
  });
});
