import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chart } from '../bench/charts/chart.ts';
import { savedResults } from '../bench/charts/write.ts';
import { atFixedRate } from '../bench/load/pace.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');

describe('the benchmarks', () => {
  it('have a chart that is drawn from the kept results', () => {
    assert.equal(read('bench/results/servers.svg'), chart(savedResults()), 'npm run bench -- chart');
  });

  it('keep no path and no host name in the results', () => {
    const files = globSync('bench/results/*.json', { cwd: root });
    assert.ok(files.length >= 4);
    for (const file of files) assert.doesNotMatch(read(file), /"(?:[^"]*:\/\/|\/|[A-Z]:\\)[^"]*"/, file);
  });

  it('count the latency at a fixed rate from when an operation was to begin', async () => {
    const started = performance.now();
    const pauseMs = 30;
    // The first operation holds the only connection, so that the other ones begin late.
    const { done, p50 } = await atFixedRate(
      [
        async () => {
          while (performance.now() - started < pauseMs) await new Promise((resolve) => setImmediate(resolve));
        },
      ],
      1000,
      5,
      true,
    );
    assert.equal(done, 5);
    assert.ok(p50 > pauseMs / 2, `the median has none of the pause: ${p50} ms`);
  });
});
