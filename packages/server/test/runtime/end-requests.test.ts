import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@watchword/testkit';
import { endRequests } from '../../src/runtime/end-requests.ts';

it('counts signals within one second as one request to end, because npm repeats a signal that the process also gets', async () => {
  const clock = new FakeClock();
  const next = endRequests(() => clock.now());
  const first = next();
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT');
  assert.equal(await first, 'SIGINT');
  const second = next();
  process.emit('SIGINT', 'SIGINT');
  clock.advance(999);
  process.emit('SIGINT', 'SIGINT');
  clock.advance(1);
  process.emit('SIGTERM', 'SIGTERM');
  assert.equal(await second, 'SIGTERM');
});
