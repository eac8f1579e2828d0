import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exposeDurations, RequestDurations } from '../../src/runtime/metrics/request-durations.ts';

describe('the histogram of requests', () => {
  it('counts a request in every bucket from its time upwards, and sums the times', () => {
    const durations = new RequestDurations();
    for (const seconds of [0.001, 0.0011, 0.3, 7]) durations.observe('GET', '/a', 200, seconds);
    const labels = 'method="GET",route="/a",status="200"';
    const text = exposeDurations(durations.read());
    for (const [bound, count] of [
      ['0.001', 1],
      ['0.0025', 2],
      ['0.25', 2],
      ['0.5', 3],
      ['5', 3],
      ['+Inf', 4],
    ]) {
      assert.ok(
        text.includes(`watchword_http_request_duration_seconds_bucket{le="${bound}",${labels}} ${count}\n`),
        text,
      );
    }
    assert.ok(text.includes(`watchword_http_request_duration_seconds_count{${labels}} 4\n`), text);
    assert.match(text, /_sum\{[^}]*\} 7\.3021/);
  });

  it('keeps methods, routes and statuses apart', () => {
    const durations = new RequestDurations();
    durations.observe('GET', '/a', 200, 0);
    durations.observe('POST', '/a', 200, 0);
    durations.observe('GET', '/a', 400, 0);
    durations.observe('GET', '/b', 200, 0);
    durations.observe('GET', '/b', 200, 0);
    const counts = exposeDurations(durations.read()).match(/(?<=_count\{).*/g);
    assert.deepEqual(counts, [
      'method="GET",route="/a",status="200"} 1',
      'method="POST",route="/a",status="200"} 1',
      'method="GET",route="/a",status="400"} 1',
      'method="GET",route="/b",status="200"} 2',
    ]);
  });

  it('sums the requests of several processes', () => {
    const [one, other] = [new RequestDurations(), new RequestDurations()];
    one.observe('GET', '/a', 200, 0.002);
    other.observe('GET', '/a', 200, 3);
    other.observe('GET', '/b', 200, 0);
    const text = exposeDurations([...one.read(), ...other.read()]);
    const a = 'method="GET",route="/a",status="200"';
    assert.ok(text.includes(`_bucket{le="0.0025",${a}} 1\n`), text);
    assert.ok(text.includes(`_bucket{le="5",${a}} 2\n`), text);
    assert.ok(text.includes(`_sum{${a}} 3.002\n`), text);
    assert.ok(text.includes(`_count{${a}} 2\n`), text);
    assert.ok(text.includes('_count{method="GET",route="/b",status="200"} 1\n'), text);
  });

  it('has its description once, also before the first request', () => {
    const text = exposeDurations(new RequestDurations().read());
    assert.match(text, /^# HELP watchword_http_request_duration_seconds .+\n# TYPE \S+ histogram\n$/);
  });
});
