import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold } from '@watchword/protocol';
import fc from 'fast-check';
import { readPage, searchFor } from '../../src/lists/page.ts';

interface Fetched {
  readonly rows: number;
  readonly times: number;
}

/** Reads every page of the numbers from 0 to `count - 1` that are picked. */
async function readAll(count: number, limit: number, isPicked: (row: number) => boolean) {
  const items: number[] = [];
  const pages: number[] = [];
  const fetched: Fetched[] = [];
  let after: number | undefined;
  do {
    let rows = 0;
    let times = 0;
    const page = await readPage<number, number, number>(
      { limit, after },
      {
        fetch: async (position = -1, size) => {
          const found = Array.from({ length: size }, (_, index) => position + 1 + index).filter(
            (row) => row < count,
          );
          rows += found.length;
          times += 1;
          return found;
        },
        positionOf: (row) => row,
        pick: (row) => (isPicked(row) ? row : undefined),
      },
    );
    items.push(...page.items);
    pages.push(page.items.length);
    fetched.push({ rows, times });
    after = page.next;
  } while (after !== undefined);
  return { items, pages, fetched };
}

describe('a list read page by page', () => {
  it('has a page of four million characters at most, in texts at any depth, and counts neither bytes nor gaps', async () => {
    const sizeWith = async (row: object, isPicked = (_: number) => true) => {
      const { items } = await readPage<{ id: number; row: object }, number, number>(
        { limit: 10 },
        {
          fetch: async (after = 0, size) =>
            Array.from({ length: Math.min(size, 9 - after) }, (_, index) => after + index + 1).map((id) => ({
              id,
              row,
            })),
          positionOf: ({ id }) => id,
          pick: ({ id }) => (isPicked(id) ? id : undefined),
        },
      );
      return items.length;
    };
    assert.equal(await sizeWith({ text: 'x'.repeat(2_000_000) }), 3);
    // Two rows, with the names `id`, `row` and `text`, that have the greatest number together.
    assert.equal(await sizeWith({ text: 'x'.repeat(2 ** 21 - 9) }), 3);
    assert.equal(await sizeWith({ text: 'x'.repeat(2 ** 21 - 8) }), 2);
    // What is not listed does not end a page before its first item.
    assert.equal(await sizeWith({ text: 'x'.repeat(2_000_000) }, (id) => id === 9), 1);
    assert.equal(await sizeWith({ a: [{ b: 'x'.repeat(2_000_000) }] }), 3);
    assert.equal(await sizeWith({ a: null, b: undefined, c: 1, d: new Uint8Array(600_000) }), 9);
  });

  it('has every record that fits the filters, in order, each once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1500),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 50 }),
        async (count, limit, every) => {
          const isPicked = (row: number) => row % every === 0;
          const { items, pages } = await readAll(count, limit, isPicked);
          assert.deepEqual(items, Array.from({ length: count }, (_, row) => row).filter(isPicked));
          assert.ok(pages.every((length) => length <= limit));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('ends with its last row: no page is announced that would be empty', async () => {
    for (const [count, limit] of [
      [0, 10],
      [10, 10],
      [20, 10],
      [1000, 500],
    ] as const) {
      const { pages } = await readAll(count, limit, () => true);
      assert.equal(pages.length, Math.max(1, count / limit));
    }
  });

  it('reads a bounded number of rows for a page that has an item, and goes on where it stopped', async () => {
    const { items, fetched } = await readAll(20_000, 100, (row) => row % 1000 === 0);
    assert.equal(items.length, 20);
    assert.ok(
      fetched.every(({ rows, times }) => rows <= 2500 && times <= 6),
      JSON.stringify(fetched),
    );
    assert.ok(fetched.length >= 4);
    const inBatches = await readAll(20_000, 499, (row) => row % 1000 === 0);
    assert.ok(
      inBatches.fetched.every(({ rows }) => rows <= 2000),
      JSON.stringify(inBatches.fetched),
    );
  });

  it('reads few rows for the last record of a page that is left to find', async () => {
    const { fetched } = await readAll(100_000, 5, (row) => row !== 1 && row < 6);
    assert.equal(fetched[0]?.rows, 6 + 24 + 96 + 384 + 3 * 500);
    const oneIsMissing = await readAll(10_000, 5, (row) => row !== 1);
    assert.deepEqual(oneIsMissing.fetched[0], { rows: 6 + 24, times: 2 });
  });

  it('has no empty page before its last one, however far away what fits is', async () => {
    const far = await readAll(20_000, 100, (row) => row === 19_999);
    assert.deepEqual({ items: far.items, pages: far.pages }, { items: [19_999], pages: [1] });
    const two = await readAll(20_000, 100, (row) => row % 9000 === 8000);
    assert.deepEqual({ items: two.items, pages: two.pages }, { items: [8000, 17_000], pages: [1, 1, 0] });
    assert.deepEqual((await readAll(20_000, 100, () => false)).pages, [0]);
  });

  it('ends before its limit when what it has picked was costly enough, and goes on behind it', async () => {
    let cost = 0;
    const page = (after?: number) =>
      readPage<number, number, number>(
        { limit: 10, after },
        {
          fetch: async (position = 0, size) =>
            Array.from({ length: size }, (_, index) => position + 1 + index),
          positionOf: (row) => row,
          pick: (row) => {
            cost += 1;
            return row;
          },
          isSpent: () => cost >= 3,
        },
      );
    assert.deepEqual(await page(), { items: [1, 2, 3], next: 3 });
    assert.deepEqual(await page(3), { items: [4], next: 4 });
  });

  it('reads hardly more than it answers when nothing is filtered out', async () => {
    const { fetched } = await readAll(5000, 100, () => true);
    assert.ok(fetched.every(({ rows }) => rows <= 101));
  });
});

describe('a search', () => {
  it('finds a part of any text, in any case and form of its letters', () => {
    const { matches } = searchFor('ÉMMA');
    assert.ok(matches('x', 'Emma Émma'));
    assert.ok(matches('e\u0301mma'));
    assert.ok(searchFor('emma').matches('\uff25mma'));
    assert.ok(!matches('emma'));
    assert.ok(searchFor('.*').matches('a.*b'));
    assert.ok(!searchFor('.*').matches('ab'));
    assert.ok(searchFor(undefined).matches());
  });

  it('ignores white space at the ends of what is wanted, and finds everything by white space alone', () => {
    for (const q of ['emma smith ', '\t emma smith', 'EMMA\u00a0SMITH\u00a0\u2003\n']) {
      const { mayContain, matches } = searchFor(q);
      assert.equal(mayContain, 'emma smith');
      assert.deepEqual([matches('x', 'Emma Smith'), matches('emmasmith')], [true, false], JSON.stringify(q));
    }
    for (const q of ['', ' ', '\u00a0\n']) {
      const { mayContain, matches } = searchFor(q);
      assert.deepEqual([mayContain, matches('x'), matches()], [undefined, true, true], JSON.stringify(q));
    }
  });

  it('compares an ASCII text as ASCII: a store can decide about it', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.match(fold(text), /^\p{ASCII}*$/u)));
  });
});
