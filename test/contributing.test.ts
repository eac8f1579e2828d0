import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { imaginedChanges } from './support/checkout-changes.ts';
import { blocks, codeSpans } from './support/markdown.ts';
import {
  commandOfOneFile,
  contributingTexts,
  followed,
  followRecipes,
  recipe,
  recipes,
} from './support/recipes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = (path: string) => `${root}${path}`;

/** The texts of the files that the recipes write or change. */
async function changedFiles(): Promise<ReadonlyMap<string, string>> {
  const changes = imaginedChanges();
  await followRecipes(changes);
  return changes.texts;
}

// contributing.slow.test.ts follows the recipes in a copy of the checkout, and runs what they make.
describe('CONTRIBUTING.md and its recipes', () => {
  it('have code that the tests follow, wherever a recipe shows code', () => {
    const withCode = [...recipes].filter(([, text]) => blocks('ts', text).length > 0);
    assert.deepEqual(withCode.map(([title]) => title).toSorted(), followed.toSorted());
  });

  it('fit the files which they change', async () => {
    const made = [...(await changedFiles()).keys()].filter((path) => !existsSync(file(path)));
    assert.ok(made.includes(recipe('Add a grant')[0]?.file ?? ''), made.join());
  });

  it('show how to run one test file', () => {
    const [npx, node, ...args] = commandOfOneFile();
    assert.deepEqual([npx, node], ['npx', 'node']);
    assert.ok(existsSync(file(args.at(-1) ?? '')), args.join(' '));
  });

  it('name scripts, files and identifiers that exist', async () => {
    const { scripts } = JSON.parse(readFileSync(file('package.json'), 'utf8'));
    for (const [, script = ''] of contributingTexts.matchAll(/npm run ([\w:-]+)\b(?! -w)/g)) {
      assert.ok(script in scripts, `npm run ${script}`);
    }
    const changed = await changedFiles();
    const files = globSync('{packages,test,docs,deploy}/**/*', {
      cwd: root,
      exclude: ['**/{node_modules,dist}/**'],
    }).map((path) => path.replaceAll('\\', '/'));
    const places = [...files, ...changed.keys()].map((path) => `/${path}/`);
    const unchanged = files.filter((path) => /\.tsx?$/.test(path) && !changed.has(path));
    const text = [...unchanged.map((path) => readFileSync(file(path), 'utf8')), ...changed.values()].join(
      '\n',
    );
    // A recipe makes its first file; the commands make the files that git ignores.
    const ignored = readFileSync(file('.gitignore'), 'utf8').split('\n');
    const made = new Set([...[...recipes.keys()].map((title) => recipe(title)[0]?.file), ...ignored]);
    for (const name of codeSpans(contributingTexts).filter((span) => !made.has(span))) {
      const isPlace = /^\w[\w.-]*(?:\/[\w.-]*)*(?<=\/|\/[\w-]+|\.tsx?|\.css)$/.test(name);
      const asPlace = `/${name.replace(/\/$/, '')}/`;
      assert.ok(!isPlace || places.some((place) => place.includes(asPlace)), name);
      for (const [word] of name.matchAll(/\b[A-Za-z]*[a-z][A-Z]\w*/g)) assert.ok(text.includes(word), word);
    }
  });
});
