import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, it } from 'node:test';
import { read, root } from '../scripts/docs/contents.ts';
import { guides, walkGuides } from './support/guides.ts';
import { commandBlocks } from './support/markdown.ts';

walkGuides('the guides', false);

describe('the documents', () => {
  it('have commands that a test runs, or a reason', () => {
    const pages = globSync(
      ['README.md', 'docs/**/*.md', '{packages,examples}/*/README.md', 'deploy/**/*.md'],
      {
        cwd: root,
        exclude: ['**/{node_modules,adr}/**'],
      },
    );
    assert.ok(pages.length > 20);
    const problems = pages.flatMap((page) =>
      commandBlocks(read(page)).flatMap(({ mark, commands }) => {
        const problem = problemOf(page, mark, commands);
        return problem === undefined ? [] : [`${page}: ${problem}: ${commands.split('\n')[0]}`];
      }),
    );
    assert.deepEqual(problems, []);
  });
});

function problemOf(page: string, mark: string | undefined, commands: string): string | undefined {
  if (mark === undefined) {
    return page in guides
      ? undefined
      : 'expected an entry in test/support/guides.ts, or a comment before the block';
  }
  if (/^not run: \S/.test(mark)) return undefined;
  const [, file] = /^run by (\S+\.test\.ts)$/.exec(mark) ?? [];
  if (file === undefined) return `expected "run by FILE" or "not run: REASON", got "${mark}"`;
  if (!existsSync(`${root}${file}`)) return `${file} does not exist`;
  const names = [basename(page), basename(dirname(page)), commands.trim()];
  return names.some((name) => read(file).includes(name)) ? undefined : `${file} does not mention the page`;
}
