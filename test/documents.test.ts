import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { codeSpans, wordCount } from './support/markdown.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = globSync(['*.md', '{docs,bench,packages,examples,deploy}/**/*.md'], {
  cwd: root,
  exclude: ['**/{node_modules,dist,artifacts}/**'],
}).map((file) => file.replaceAll('\\', '/'));
const architecture = documents.filter((file) => /^(?:ARCHITECTURE\.md|docs\/architecture\/)/.test(file));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('the documents', () => {
  it('of the architecture name files that exist', () => {
    const sources = globSync(['packages/*/{src,bin}/**/*.{ts,tsx,js}', 'scripts/*.ts'], { cwd: root }).map(
      (file) => `/${file.replaceAll('\\', '/')}`,
    );
    const missing = architecture.flatMap((file) =>
      codeSpans(read(file))
        .filter((code) => /^[\w./-]+\.(?:ts|tsx|js)$/.test(code))
        .filter((code) => !exists(code) && !sources.some((source) => source.endsWith(`/${code}`)))
        .map((code) => `${file}: ${code}`),
    );
    assert.deepEqual(missing, []);
  });

  it('of guides have tried what they show, but for what no machine of the project can run', () => {
    const untried = documents
      .filter((file) => file.startsWith('docs/guides/') || /^(?:packages|examples)\//.test(file))
      .flatMap((file) =>
        (read(file).match(/\bnot tried\b[^.*]*/gi) ?? []).map((words) => `${file}: ${words}`),
      );
    assert.deepEqual(untried.toSorted(), [
      'docs/guides/jwt-access-tokens.md: Not tried: it needs ',
      'docs/guides/log-users-in/dotnet.md: Not tried: it needs ',
      'docs/guides/migration.md: Not tried with MySQL',
    ]);
  });

  it('of guides have at most 1,500 words each', () => {
    const lengths = documents
      .filter((file) => file.startsWith('docs/guides/'))
      .map((file) => [file, wordCount(read(file))] as const);
    assert.ok(lengths.length > 20);
    assert.deepEqual(
      lengths.filter(([, words]) => words > 1500),
      [],
      'cut what stands elsewhere, or divide a guide with two subjects',
    );
  });

  it('have less than 90,000 words in all, without what a release writes', () => {
    const words = documents
      .filter((file) => file !== 'CHANGELOG.md')
      .reduce((sum, file) => sum + wordCount(read(file)), 0);
    assert.ok(words < 90_000, `the documents have ${words} words: cut what stands twice`);
  });

  it('of the decisions have unique numbers, in the file name and in the title', () => {
    const numbers = documents.flatMap((file) => /^docs\/adr\/(\d{4})-/.exec(file)?.[1] ?? []);
    assert.equal(new Set(numbers).size, numbers.length);
    const mistitled = documents.filter((file) => {
      const number = /^docs\/adr\/(\d{4})-/.exec(file)?.[1];
      return number !== undefined && !read(file).startsWith(`# ${number} `);
    });
    assert.deepEqual(mistitled, []);
  });

  it('of the decisions say why they still hold', () => {
    const silent = documents.filter(
      (file) => file.startsWith('docs/adr/') && !/^Still true because: \S.*\.$/m.test(read(file)),
    );
    assert.deepEqual(silent, []);
  });
});

function exists(path: string): boolean {
  return existsSync(join(root, path));
}
