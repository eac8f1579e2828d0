import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const stylesheet = readFileSync(new URL('../../assets/watchword.css', import.meta.url), 'utf8');
const palette = readFileSync(new URL('../../../console/src/styles/palette.css', import.meta.url), 'utf8');
const guide = readFileSync(new URL('../../../../docs/guides/pages.md', import.meta.url), 'utf8');

const [light, dark] = [...stylesheet.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) =>
  variablesOf(block),
);
const themes = { light: { ...light }, dark: { ...light, ...dark } };

/** Text needs a contrast of 4.5:1 (WCAG 2.2, 1.4.3); borders of fields and the focus need 3:1 (1.4.11). */
const pairs: readonly (readonly [string, string, number])[] = [
  ['ink', 'surface', 4.5],
  ['ink', 'page', 4.5],
  ['ink', 'hover', 4.5],
  ['ink', 'danger-surface', 4.5],
  ['ink', 'done-surface', 4.5],
  ['ink-quiet', 'surface', 4.5],
  ['accent', 'surface', 4.5],
  ['accent-hover', 'surface', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['danger', 'danger-surface', 4.5],
  ['accent', 'hover', 4.5],
  ['field-line', 'surface', 3],
  ['focus', 'surface', 3],
  ['focus', 'page', 3],
  ['danger', 'surface', 3],
  ['done', 'done-surface', 3],
  ...Array.from({ length: 8 }, (_, index) => ['tile-ink', `tile-${index}`, 4.5] as const),
];

describe('the theme', () => {
  for (const [name, theme] of Object.entries(themes)) {
    it(`has enough contrast in its ${name} colours`, () => {
      const weak = pairs
        .map(([front, back, needed]) => ({ front, back, needed, is: contrast(theme, front, back) }))
        .filter(({ is, needed }) => is < needed);
      assert.deepEqual(weak, []);
    });
  }

  it('consists of variables, all of which the guide describes', () => {
    const table = section('## Colours, type and shapes').replaceAll('`--tile-0` to `--tile-7`', tiles());
    const described = [...table.matchAll(/`--([\w-]+)`/g)].map(([, variable]) => variable);
    assert.deepEqual([...new Set(described)].toSorted(), Object.keys(themes.light).toSorted());
    const outside = stylesheet.replaceAll(/:root \{[^}]*\}/g, '');
    assert.doesNotMatch(outside, /#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i);
  });

  it('uses only variables that exist', () => {
    for (const [, variable = ''] of stylesheet.matchAll(/var\(--([\w-]+)/g)) {
      assert.ok(variable in themes.light, variable);
    }
  });

  it('loads nothing external', () => {
    assert.doesNotMatch(stylesheet, /url\(|@import|@font-face|expression\(/);
  });

  it('never removes the ring around the focus', () => {
    assert.doesNotMatch(stylesheet, /outline(?:-width)?:\s*(?:none|0)/);
    assert.match(stylesheet, /:focus-visible \{\s*outline: 2px solid var\(--focus\);/);
  });

  it('gives the ring around the focus the colour of the accent, in both schemes and in the GUI too', () => {
    assert.deepEqual([light?.focus, dark?.focus], ['var(--accent)', undefined]);
    assert.deepEqual(palette.match(/--focus: [^;]*/g), ['--focus: var(--accent)']);
  });
});

function variablesOf(block: string): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** The contrast ratio of WCAG 2.2, from relative luminances. */
function contrast(theme: Record<string, string>, first: string, second: string): number {
  const [darker = 0, lighter = 0] = [first, second]
    .map((name) => luminance(colourOf(theme, name)))
    .toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Of a variable, or of the one that it follows. */
function colourOf(theme: Record<string, string>, name: string): string | undefined {
  const [, followed] = /^var\(--([\w-]+)\)$/.exec(theme[name] ?? '') ?? [];
  return theme[followed ?? name];
}

function luminance(colour: string | undefined): number {
  const [, hex = ''] = /^#([0-9a-f]{6})$/i.exec(colour ?? '') ?? assert.fail(`no colour: ${colour}`);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function section(heading: string): string {
  const start = guide.indexOf(`\n${heading}\n`);
  const table = guide.indexOf('\n| variable', start);
  return guide.slice(table, guide.indexOf('\n\n', table));
}

function tiles(): string {
  return Array.from({ length: 8 }, (_, index) => `\`--tile-${index}\``).join(' ');
}
