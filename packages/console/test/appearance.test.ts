import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { slowTest, variants } from '@watchword/testkit';
import type { ConsolePage } from './support/console-page.ts';
import { type OpenPlaces, openPlaces } from './support/places.ts';

/** A list, a form and the pages of many columns. The slow file checks all pages in both themes. */
const checkedHere = ['client-new', 'access', 'resource-servers', 'tokens', 'audit'];

describe('the pages of the administration GUI', () => {
  let gui: OpenPlaces;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openPlaces();
    ({ visitor } = gui);
  });
  after(() => gui[Symbol.asyncDispose]());

  it('are accessible, make no errors and load nothing external', async () => {
    for (const name of variants(2, checkedHere)) {
      await gui.visit(name);
      await visitor.assertAccessible();
    }
    assert.deepEqual(visitor.errors(), []);
  });

  slowTest(
    'have no motion, and change their colours at once, for users who prefer reduced motion',
    async () => {
      const { page } = visitor;
      await gui.visit('resource-servers');
      const heading = 'getComputedStyle(document.querySelector("h1 bdi")).color';
      const before = await page.evaluate(heading);
      // Within one turn, before the browser draws.
      const [colour, moving] = await page.evaluate<[string, number]>(
        `document.documentElement.dataset.colorScheme = 'dark'; [${heading}, document.getAnimations().length]`,
      );
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.equal(moving, 0);
      assert.notEqual(colour, before);
      assert.equal(await page.evaluate(heading), colour);
    },
  );
});

describe('the styles of the administration GUI', () => {
  it('name sides by the direction of the text, apart from those of code, which never changes its own', () => {
    const folder = fileURLToPath(new URL('../src/', import.meta.url));
    const files = globSync('**/*.css', { cwd: folder }).filter((file) => !file.endsWith('code.css'));
    assert.ok(files.length > 10);
    const found = files.flatMap((file) =>
      readFileSync(`${folder}${file}`, 'utf8')
        .split('\n')
        .filter(isSided)
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });

  function isSided(line: string): boolean {
    const [, name = '', value = ''] = /^\s*([a-z-]+):\s*(.*);$/.exec(line) ?? [];
    const inner = /\([^()]*\)/g;
    const [, right, , left] = value.replaceAll(inner, '').replaceAll(inner, '').split(' ');
    const isShorthand = ['inset', 'margin', 'padding'].includes(name);
    return /(?:^|-)(?:left|right)$/.test(name) || (isShorthand && left !== undefined && left !== right);
  }
});
