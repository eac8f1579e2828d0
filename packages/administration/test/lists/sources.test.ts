import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSources, type Source, type SourcePosition } from '../../src/lists/sources.ts';

/** Rows that go down to 1, and what was asked for. */
function source(number: number, rows: number) {
  const reads: [before: number | undefined, limit: number][] = [];
  const made: Source<number, number> = {
    number,
    async read(before, limit) {
      reads.push([before, limit]);
      return Array.from({ length: rows }, (_, index) => rows - index)
        .filter((row) => before === undefined || row < before)
        .slice(0, limit);
    },
  };
  return { made, reads };
}

describe('a list of several sources', () => {
  it('has the rows of one after the other, each once, and asks for no more than a page needs', async () => {
    const [first, second, third] = [source(1, 3), source(5, 2), source(9, 1)];
    const sources = [first.made, second.made, third.made];
    const found: [source: number, row: number][] = [];
    for (let after: SourcePosition<number> | undefined; ; ) {
      const rows = await readSources(sources, after, 2);
      assert.ok(rows.length <= 2);
      found.push(...rows.map(({ source: number, row }) => [number, row] as [number, number]));
      const last = rows.at(-1);
      if (last === undefined) break;
      after = { source: last.source, before: last.row };
    }
    assert.deepEqual(found, [
      [1, 3],
      [1, 2],
      [1, 1],
      [5, 2],
      [5, 1],
      [9, 1],
    ]);
    assert.deepEqual(first.reads, [
      [undefined, 2],
      [2, 2],
    ]);
    assert.deepEqual(second.reads, [
      [undefined, 1],
      [2, 2],
    ]);
    assert.deepEqual(third.reads, [
      [undefined, 1],
      [1, 2],
    ]);
  });
});
