import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { brandColourNames, brandColours, colourProblems, contrast } from '../../src/branding/colours.ts';
import { maxLogoBytes, readLogo } from '../../src/branding/logo.ts';
import { textsByLanguage } from '../../src/branding/texts.ts';

const svg = (content: string) => `data:image/svg+xml;base64,${Buffer.from(content).toString('base64')}`;
const problemsOf = (light: Readonly<Record<string, string>>, dark = {}) =>
  colourProblems({ light, dark }, (scheme) => scheme).map(({ field, problem }) => `${field}: ${problem}`);

describe('the colours of a branding', () => {
  it('have a form', () => {
    for (const wrong of ['red', '#fff', '#12345g', '#1234567', 'url(x)', '#123456;}', '']) {
      assert.deepEqual(problemsOf({ accent: wrong }), ['light: accent: expected a colour such as #17615c']);
    }
  });

  it('are measured as WCAG does', () => {
    for (const [one, other, ratio] of [
      ['#000000', '#ffffff', 21],
      ['#ffffff', '#ffffff', 1],
      ['#767676', '#ffffff', 4.54],
      ['#17615c', '#ffffff', 7.24],
    ] as const) {
      assert.equal(Number(contrast(one, other).toFixed(2)), ratio);
      assert.equal(contrast(one, other), contrast(other, one));
    }
  });

  it('that nobody can read on each other are refused, each pair by its names, in its scheme', () => {
    assert.deepEqual(problemsOf({ accent: '#f0c040' }, { ink: '#111111' }), [
      'light: on-accent on accent has a contrast of 1.70:1 (#ffffff on #f0c040); expected at least 4.5:1',
      'light: accent on surface has a contrast of 1.70:1 (#f0c040 on #ffffff); expected at least 4.5:1',
      'dark: ink on surface has a contrast of 1.13:1 (#111111 on #191f1d); expected at least 4.5:1',
      'dark: ink on page has a contrast of 1.03:1 (#111111 on #111514); expected at least 4.5:1',
    ]);
    assert.deepEqual(problemsOf({ accent: '#5b3fa8' }, { accent: '#c3b2f7', 'on-accent': '#1d1238' }), []);
  });

  it('begin with those of the built-in stylesheet, which are readable', () => {
    const css = readFileSync(new URL('../../../server/assets/watchword.css', import.meta.url), 'utf8');
    const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
    for (const name of brandColourNames) {
      assert.ok(light.includes(`  --${name}: ${brandColours[name].light};`), name);
      assert.ok(dark.includes(`  --${name}: ${brandColours[name].dark};`), name);
    }
    const all = (scheme: 'light' | 'dark') =>
      Object.fromEntries(brandColourNames.map((name) => [name, brandColours[name][scheme]]));
    assert.deepEqual(problemsOf(all('light'), all('dark')), []);
  });
});

describe('the logo of a branding', () => {
  it('is an SVG or a PNG of a limited size', () => {
    assert.equal(readLogo(''), undefined);
    assert.equal(
      typeof readLogo(svg('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>')),
      'object',
    );
    assert.equal(typeof readLogo('data:image/png;base64,iVBORw0KGgo='), 'object');
    for (const [url, problem] of [
      ['https://cdn.example/logo.svg', /expected an SVG or PNG picture as a data URL/],
      ['data:text/html;base64,PGI+', /expected an SVG or PNG picture as a data URL/],
      ['data:image/png;base64,PGI+', /expected a PNG picture, got other bytes/],
      [svg('<html></html>'), /expected an SVG picture in UTF-8/],
      [svg(`<svg>${' '.repeat(maxLogoBytes)}</svg>`), /expected at most 128 KiB, got 129 KiB/],
    ] as const) {
      assert.match(String(readLogo(url)), problem);
    }
  });

  for (const [what, content] of [
    ['a script', '<svg><script>1</script></svg>'],
    ['a handler', '<svg onload="x()"></svg>'],
    ['foreign content', '<svg><foreignObject/></svg>'],
    ['a document type', '<?xml version="1.0"?><svg><!DOCTYPE x></svg>'],
    ['an address of another host', '<svg><image href="https://x.example/a.png"/></svg>'],
    ['a script as an address', '<svg><a href="javascript:x"/></svg>'],
  ] as const) {
    it(`has no ${what}`, () => {
      assert.match(String(readLogo(svg(content))), /without scripts, event handlers, document types/);
    });
  }
});

describe('the texts of a branding', () => {
  const known = { 'login.title': 'Sign in', 'login.client': 'to {client}' };
  it('are those of pages, by language and key, with the values of the built-in ones', () => {
    const { texts, malformed } = textsByLanguage(
      {
        'de/login.title': 'Hallo',
        'PT-br/login.client': 'até {client}',
        'de/scope.read': 'Lesen',
        'nl/login.title': ' ',
      },
      known,
    );
    assert.deepEqual(malformed, []);
    assert.deepEqual(texts, {
      de: { 'login.title': 'Hallo', 'scope.read': 'Lesen' },
      'pt-BR': { 'login.client': 'até {client}' },
    });
  });

  it('are refused by key, with what to do', () => {
    const { malformed } = textsByLanguage(
      {
        'de/login.titel': 'x',
        'no language/login.title': 'x',
        'login.title': 'x',
        'de/login.client': 'bei {product}',
        'de/login.title': '{client}',
      },
      known,
    );
    assert.deepEqual(
      malformed.map(({ problem }) => problem),
      [
        '"de/login.titel": expected the key of a text of pages, or scope.{name}; did you mean login.title?',
        '"no language/login.title": expected the tag of a language, such as de/login.title',
        '"login.title": expected the tag of a language, such as de/login.title',
        '"de/login.client": expected no other values than {client}, got {product}',
        '"de/login.title": expected a text without values, got {client}',
      ],
    );
  });
});
