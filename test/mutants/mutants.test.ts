import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { examine } from './examine.ts';
import { mutate } from './mutants.ts';
import { drawn, mutatedFiles } from './mutated-files.ts';

/** The changes of a source, and what it evaluates to with each of them. */
function changes(source: string): string[] {
  return mutate(source, 0).mutants.map(({ after }) => after);
}

describe('the changes of a source', () => {
  for (const [source, ...expected] of [
    ['if (a) b();', 'true', 'false', ''],
    ['x = a && b;', '', 'a', 'b'],
    ['x = a ?? b;', '', 'a', 'b'],
    ['const x = a === b;', 'a !== b'],
    ['const x = a < b;', 'a <= b', 'a >= b'],
    ['if (a < b) {}', 'true', 'false', 'a <= b'],
    ['const x = a + b * c;', 'a - b * c', 'b / c'],
    ['const x = (a + b) * c;', '(a + b) / c', 'a - b'],
    ["const x = 'text' + a;"],
    ['const x = !a;', 'a'],
    ['const x = true as boolean;', 'false'],
    ['const x = a.filter(f);', 'a'],
    ['const x = a.every(f);', 'a.some(f)'],
    ['const x = a?.filter(f)?.length;'],
    ['const x = a.toString();'],
    ['const x = /^a$/u;', '/a$/u', '/^a/u'],
    ['while (a) {}', 'false'],
    ['type A = true; interface B { readonly c: false }'],
    ['x(new AnError(y, { reason: a ? b : c, rule: a && b }));', '', 'a', 'b'],
    [`function* f() { if (a) yield \`is \${b.slice(1)}\`; }`, 'true', 'false', ''],
    [`problems.add(a.trim(), \`is \${b.slice(1)}\`);`, '', 'a'],
    ['class A extends B { constructor() { super(); } }'],
  ] as const) {
    it(`are ${expected.length === 0 ? 'none' : expected.map((text) => text || 'nothing').join(', ')} for ${source}`, () => {
      assert.deepEqual(changes(source), expected);
    });
  }

  it('are part of one program, in which one of them runs, or none', () => {
    const { code, mutants } = mutate('/* é */ x = (a && !b) || c > 1;', 5);
    const evaluate = new Function('__mutant', 'a', 'b', 'c', `let x; ${code}; return x;`);
    const run = (active?: number) => evaluate((id: number) => id === active, true, true, 2);
    assert.equal(run(), true);
    assert.deepEqual(
      mutants.map(({ id, before, after }) => [before, after, run(id)]),
      [
        ['x = (a && !b) || c > 1;', '', undefined],
        ['(a && !b) || c > 1', 'a && !b', false],
        ['(a && !b) || c > 1', 'c > 1', true],
        ['a && !b', 'a', true],
        ['a && !b', '!b', true],
        ['!b', 'b', true],
        ['c > 1', 'c >= 1', true],
        ['c > 1', 'c <= 1', false],
      ],
    );
  });

  it('leave an else with its if', () => {
    const { code } = mutate('if (a) x = 1; else x = 2;', 0);
    const evaluate = new Function('__mutant', 'a', `let x; ${code}; return x;`);
    assert.deepEqual(
      [true, false].map((a) => evaluate(() => false, a)),
      [1, 2],
    );
  });
});

const source = `const pattern = /^a/;
export function isAdult(age: number): boolean {
  return age >= 18;
}
export function begins(text: string): boolean {
  return pattern.test(text);
}
export async function forever(isReady: boolean): Promise<void> {
  if (!isReady) await new Promise(() => {});
}
export const unused = (flag: boolean) => !flag;
`;
const tests = `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { begins, forever, isAdult } from './source.ts';
it('knows adults', () => assert.deepEqual([isAdult(20), isAdult(10)], [true, false]));
it('knows the beginning', () => assert.deepEqual([begins('a'), begins('ba')], [true, false]));
it('does not wait', () => forever(true));
`;

describe('a sample of changes', () => {
  it('is another one for another seed, and has the same changes of a file beside any other files', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-mutants-'));
    try {
      const paths = ['one.ts', 'other.ts', 'third.ts'].map((name) => join(directory, name));
      await Promise.all(paths.map((path) => writeFile(path, source)));
      const names = (files: readonly string[], size: number, seed: string) =>
        drawn(mutatedFiles(files), size, seed).map(({ file, line, after }) => `${file}:${line} ${after}`);
      const all = names(paths, 1000, 'a');
      assert.equal(all.length, mutatedFiles(paths).flatMap(({ mutants }) => mutants).length);
      assert.equal(new Set(all).size, all.length);
      assert.deepEqual(names(paths, 5, 'a'), all.slice(0, 5));
      assert.notDeepEqual(names(paths, 5, 'b'), all.slice(0, 5));
      const [first = ''] = paths;
      const ofFirst = all.filter((name) => name.startsWith(first));
      assert.deepEqual(names([first], ofFirst.length, 'a'), ofFirst);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('a change of a source', () => {
  it('is noticed when a test fails or never ends, is not when all pass, and is named when no test comes by', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-mutants-'));
    try {
      const [file, test] = [join(directory, 'source.ts'), join(directory, 'source.test.ts')];
      await Promise.all([writeFile(file, source), writeFile(test, tests)]);
      const examined = await examine(mutatedFiles([file]), [test], 1);
      assert.deepEqual(
        examined.map(({ line, after, outcome }) => [line, after, outcome]),
        [
          [1, '/a/', 'noticed'],
          [3, 'age > 18', 'unnoticed'],
          [3, 'age < 18', 'noticed'],
          [9, 'true', 'noticed'],
          [9, 'false', 'unnoticed'],
          [9, '', 'unreached'],
          [11, 'flag', 'unreached'],
        ],
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
