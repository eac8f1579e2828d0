import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const source = new URL('../../src/runtime/heap-growth.ts', import.meta.url).href;

// Prints the largest size of the young generation while there is garbage, some of which lives for a while. All that lives fits in half
// of one: otherwise V8 adds some pages for a moment.
const program = `
  import { setTimeout } from 'node:timers/promises';
  import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
  import { letHeapGrow } from '${source}';
  const half = () => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    return Math.round((young.space_used_size + young.space_available_size) / 1024 / 1024);
  };
  let kept = [];
  const work = async () => {
    for (let count = 0; count < 40; count += 1) kept.push(new Array(2000).fill(count));
    if (kept.length > 200) kept = [];
    await setTimeout(1);
  };
  setFlagsFromString('--semi-space-growth-factor=1');
  letHeapGrow(0);
  while (half() < 8) await work();
  let largest = 0;
  for (let turn = 0; turn < 100; turn += 1) {
    await work();
    largest = Math.max(largest, half());
  }
  console.log(largest);
`;

describe('the young generation of the heap', () => {
  it('grows under load, until each of its halves has 8 MB', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=source',
      '--input-type=module',
      '--eval',
      program,
    ]);
    assert.equal(stdout, '8\n');
  });
});
