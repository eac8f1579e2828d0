import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { startServer } from '@watchword/server-testkit/servers/server';
import { ConfigurationError } from '../../src/configuration-error.ts';
import type { PagesOptions } from '../../src/pages/pages.ts';
import type { FailedReplacement } from '../../src/pages/templates.ts';
import { builtInLocales } from '../../src/pages/texts/locales.ts';
import { everyPage, html, pageRequest, samplePage, testPages, textOf } from '../support/pages.ts';

const english = builtInLocales().get('en') ?? new Map<string, string>();

/** Pages with these files of an operator, in directories named in `templates` and in `locales`. */
async function withFiles<Result>(
  files: Readonly<Record<string, string | Buffer>>,
  use: (directory: string) => Result | Promise<Result>,
): Promise<Result> {
  await using directory = await temporaryDirectory();
  await mkdir(directory.file('x'));
  for (const [name, content] of Object.entries(files)) await writeFile(directory.file(`x/${name}`), content);
  return await use(directory.file('x'));
}

function problemsOf(options: Partial<PagesOptions>): string {
  try {
    testPages(options);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message.replace(/^.*:\n/, '').replaceAll(/^ {2}/gm, '');
  }
  return assert.fail('the files were accepted');
}

describe('a file of the operator', () => {
  it('is read from UTF-8, with or without a byte order mark, and refused in other bytes', async () => {
    const contents = {
      'logout.eta': '<h1>Zürich</h1>',
      'de.json': '{"login.title": "Zürich"}',
      'theme.css': 'h1::before { content: "Zürich" }',
    };
    const asked = (directory: string) => ({
      templates: directory,
      locales: directory,
      stylesheet: `${directory}/theme.css`,
    });
    const marked = Object.entries(contents).map(([name, text]) => [name, Buffer.from(`\ufeff${text}`)]);
    await withFiles(Object.fromEntries(marked), (directory) => {
      assert.match(html(samplePage('logout'), testPages(asked(directory))), /^<h1>Zürich<\/h1>/);
    });
    const other = Object.entries(contents).map(([name, text]) => [name, Buffer.from(text, 'latin1')]);
    await withFiles(Object.fromEntries(other), (directory) => {
      const problem = 'expected UTF-8, got other bytes; convert it to UTF-8';
      assert.deepEqual(problemsOf(asked(directory)).replaceAll(directory, '').split('\n').sort(), [
        `pages.locales (/de.json): cannot be read: ${problem}`,
        `pages.stylesheet (/theme.css): ${problem}`,
        `pages.templates (/logout.eta): ${problem}`,
      ]);
    });
  });
});

describe('a stylesheet of the operator', () => {
  const problemsIn = (css: string) =>
    withFiles({ 'theme.css': css }, (directory) =>
      problemsOf({ stylesheet: `${directory}/theme.css` })
        .replaceAll(directory, '')
        .split('\n'),
    );

  it('with unknown variables keeps the server from starting, each named with its line and the nearest known one', async () => {
    const css = [
      ':root { --acent: red; --brand: #123; --accent: var(--brand);',
      '  --nobody-reads: 1px; }',
      '.card { color: var(--inc); background: var(--gone, red); }',
    ];
    const expected = 'expected a variable of the pages, or one that var() reads in this file';
    assert.deepEqual(await problemsIn(css.join('\n')), [
      `pages.stylesheet (/theme.css:1): ${expected}, got "--acent"; did you mean --accent?`,
      `pages.stylesheet (/theme.css:2): ${expected}, got "--nobody-reads"; remove it, or correct its name`,
      'pages.stylesheet (/theme.css:3): expected var() of a variable of the pages, or of one that this file sets, got "--inc"; did you mean --ink?',
    ]);
  });

  for (const [problem, css, line] of [
    ['a block that is never closed', 'h1 { color: red }\n:root {\n  --accent: red;\n', 2],
    ['a bracket too many', ':root { --accent: red; }\n}', 2],
    ['a declaration without a colon', ':root {\n  --accent #fff;\n}', 2],
    ['a comment that is never closed', '/* a */\n/* b', 2],
    ['a text that is never closed', "h1::before { content: 'a }\n}", 1],
  ] as const) {
    it(`with ${problem} keeps the server from starting, and is named with its line`, async () => {
      const [only = '', ...others] = await problemsIn(css);
      assert.ok(only.startsWith(`pages.stylesheet (/theme.css:${line}): is no CSS: `), only);
      assert.match(only, /; mend this line, or the one before it$/);
      assert.deepEqual(others, []);
    });
  }

  it('gives its variables to the administration GUI, for the scheme of the device and for a chosen one, and no other rule', async () => {
    const css = `:root { --accent: #5b3fa8; --own: 1px; --radius: var(--own) }
      .card { --card-width: 9rem; border: 0 }
      @media (prefers-color-scheme: dark) { html { --accent: #c3b2f7 } }
      @media print { @media (prefers-contrast: more) { :root { --line: #000 } } }
      @supports (color: red) { :root { --ink: red } }`;
    await withFiles({ 'theme.css': css }, (directory) => {
      const theme = testPages({ stylesheet: `${directory}/theme.css` }).consoleTheme();
      assert.equal(
        theme?.content.toString(),
        `:root:root{--accent:#5b3fa8;--own:1px;--radius:var(--own)}
@media (prefers-color-scheme: dark){:root:root:not([data-color-scheme="light"]){--accent:#c3b2f7}}
:root:root[data-color-scheme="dark"]{--accent:#c3b2f7}
@media print and (prefers-contrast: more){:root:root{--line:#000}}`,
      );
    });
    assert.equal(testPages().consoleTheme(), undefined);
  });

  it('that is the example of the guide, or the built-in one, has no problem', async () => {
    const guide = readFileSync(new URL('../../../../docs/guides/pages.md', import.meta.url), 'utf8');
    const [, example = ''] = /```css\n([\s\S]*?)```/.exec(guide) ?? [];
    const builtIn = readFileSync(new URL('../../assets/watchword.css', import.meta.url), 'utf8');
    for (const css of [example, builtIn]) {
      await withFiles({ 'theme.css': css }, (directory) => {
        assert.doesNotThrow(() => testPages({ stylesheet: `${directory}/theme.css` }));
      });
    }
  });
});

describe('a template of the operator', () => {
  it('replaces the built-in one of its name, and no other', async () => {
    const files = {
      'logout.eta': "<% layout('@layout', { title: 'Bye' }) %>\n<h1>Bye <%= it.owner.name %></h1>",
    };
    await withFiles(files, (templates) => {
      const pages = testPages({ templates });
      const shown = html(samplePage('logout', '<emma>'), pages);
      assert.match(shown, /<title>Bye &ndash; Watchword[\s\S]*<h1>Bye &lt;emma&gt;<\/h1>/);
      assert.equal(html(samplePage('login'), pages), html(samplePage('login')));
    });
  });

  it('can be the layout of all pages, and can include parts of its own', async () => {
    const files = {
      'layout.eta': "<body><%~ it.body %><%~ include('@footer', { year: 1984 }) %></body>",
      'footer.eta': '<footer><%= it.productName %> <%= it.year %></footer>',
    };
    await withFiles(files, (templates) => {
      for (const page of everyPage()) {
        assert.match(
          html(page, testPages({ templates })),
          /^<body>[\s\S]*<footer>Watchword 1984<\/footer><\/body>/,
        );
      }
    });
  });

  for (const [problem, source, line] of [
    ['is never closed', 'a\nb\n<%= it.page', 3],
    ['is no JavaScript', 'a\n<% if (it.page) { %>\n<p>\n<% } } %>', 4],
    ['is no JavaScript in a tag of many lines', 'a\n<%\nconst a = 1;\nconst = 2;\n%>', 4],
    ['leaves a block open', '<% for (const a of []) { %>\n<p>\n', 2],
    ['has an expression that is none', '<p>\n\n<%= it. %>\n</p>', 3],
  ] as const) {
    it(`keeps the server from starting when it ${problem}, and is named with its line`, async () => {
      await withFiles({ 'login.eta': source, 'error.eta': '<%= it.title %>' }, (templates) => {
        const message = problemsOf({ templates });
        assert.ok(message.startsWith(`pages.templates (${templates}/login.eta:${line}): `), message);
        assert.equal(message.split('\n').length, 1);
      });
    });
  }

  it('that fails while it renders is reported to the operator with its place, and users get the built-in one', async () => {
    const files = {
      'consent.eta': "<% layout('@layout') %>\n<p>\n<%= it.client.secret.length %>\n",
      'layout.eta': "<%~ it.body %>\n<%= it.page === 'error' ? it.nothing.at(0) : '' %>",
    };
    const failures: FailedReplacement[] = [];
    await withFiles(files, (templates) => {
      const pages = testPages({ templates, onFailedReplacement: (failure) => failures.push(failure) });
      for (const page of [samplePage('consent'), samplePage('error')]) {
        assert.equal(html(page, pages), html(page));
      }
      assert.deepEqual(
        failures.map(({ place }) => place),
        [`${templates}/consent.eta:3`, `${templates}/layout.eta:2`],
      );
      assert.match(failures[0]?.problem ?? '', /^Cannot read properties of undefined/);
      assert.ok(!html(samplePage('logout'), pages).includes('class="card"'));
    });
  });

  it('can include only templates', async () => {
    const failures: FailedReplacement[] = [];
    const sources = [
      "<%~ include('/etc/passwd') %>",
      "<%~ include('../package.json') %>",
      "<% layout('@gone') %>",
    ];
    for (const source of sources) {
      await withFiles({ 'logout.eta': source }, (templates) => {
        const pages = testPages({ templates, onFailedReplacement: (failure) => failures.push(failure) });
        assert.equal(html(samplePage('logout'), pages), html(samplePage('logout')));
      });
    }
    assert.equal(failures.length, sources.length);
  });

  it('gets the values that the comment at the beginning of the built-in one lists, and no others', async () => {
    const common = commentOf('layout');
    const dump = "<%~ JSON.stringify(it, (_, value) => typeof value === 'function' ? '' : value) %>";
    for (const page of everyPage('https://cdn.example/', 'https://cdn.example/')) {
      const described = new Set(names(common + commentOf(page.page)));
      await withFiles({ [`${page.page}.eta`]: dump }, (templates) => {
        const given = keysOf(JSON.parse(html(page, testPages({ templates }))));
        assert.deepEqual(
          given.filter((key) => !described.has(key)),
          [],
          page.page,
        );
      });
    }
  });
});

describe('a locale file of the operator', () => {
  it('replaces texts of the built-in one, key by key', async () => {
    await withFiles({ 'nl.json': '{"login.title": "Hoi"}' }, (locales) => {
      const pages = testPages({ locales });
      const dutch = html(samplePage('login'), pages, { acceptLanguage: 'nl' });
      assert.match(dutch, /<h1>Hoi<\/h1>[\s\S]*Wachtwoord/);
      assert.equal(html(samplePage('login'), pages), html(samplePage('login')));
    });
  });

  it('can add a language, also one written from right to left; missing texts are English', async () => {
    await withFiles({ 'he.json': '{"login.title": "כניסה"}', 'pt-br.json': '{}' }, (locales) => {
      const pages = testPages({ locales });
      const hebrew = html(samplePage('login'), pages, { acceptLanguage: 'he-IL' });
      assert.match(hebrew, /<html lang="he" dir="rtl">[\s\S]*<h1>כניסה<\/h1>[\s\S]*Password/);
      assert.match(
        html(samplePage('login'), pages, { acceptLanguage: 'pt-BR' }),
        /<html lang="pt-BR" dir="ltr">/,
      );
    });
  });

  it('marks every part that its language lacks as English, and nothing else', async () => {
    const he = { 'login.title': 'כניסה', 'login.client': 'אל {client}' };
    await withFiles({ 'he.json': JSON.stringify(he) }, (locales) => {
      const pages = testPages({ locales });
      const shown = html(samplePage('login', 'Night job'), pages, { acceptLanguage: 'he' });
      assert.match(shown, /<h1>כניסה<\/h1>/);
      assert.match(shown, /<p class="asking-name">אל <bdi>Night job<\/bdi><\/p>/);
      assert.match(
        shown,
        /<p class="quiet"><span lang="en" dir="ltr">It would like to use <bdi>Night job<\/bdi><\/span><\/p>/,
      );
      assert.match(shown, /<label [^>]*><span lang="en" dir="ltr">Password<\/span><\/label>/);
      assert.match(shown, /<button [^>]*><span lang="en" dir="ltr">Sign in<\/span><\/button>/);
      for (const page of everyPage()) {
        const marked = html(page, pages, { acceptLanguage: 'he' });
        assert.doesNotMatch(marked, /[\uE000\uE001]|<title>[^<]*<span|="[^"]*<span/, page.page);
        assert.equal(
          textOf(html(page)).includes('lang='),
          false,
          `${page.page}: English is not marked in an English page`,
        );
        const others = textOf(marked.replaceAll(/<span lang="en" dir="ltr">(?:[^<]|<\/?bdi>)*<\/span>/g, ''));
        for (const [key, text] of english) {
          if (text.length < 12 || text.includes('{') || key in he) continue;
          assert.ok(!others.includes(text), `${page.page}: ${key} is not marked`);
        }
      }
      assert.doesNotMatch(html(samplePage('login'), pages, { acceptLanguage: 'fr' }), /<span lang="en"/);
    });
  });

  it('is counted at the start, as long as its language lacks texts', async () => {
    const all = english.size;
    await withFiles({ 'sv.json': '{"login.title": "Logga in"}', 'fr.json': '{}' }, async (locales) => {
      const lacking = testPages({ locales }).lacking();
      assert.deepEqual(lacking, [{ language: 'sv', of: 'pages', has: 1, all }]);
      await using server = await startServer({ 'pages.locales': locales });
      const line = `sv: 1 of ${all} texts of the pages; the others are in English, "watchword texts missing sv" lists them`;
      assert.deepEqual(
        [...server.log().matchAll(/"msg":("(?:[^"\\]|\\.)*texts of(?:[^"\\]|\\.)*")/g)].map(([, msg = '']) =>
          JSON.parse(msg),
        ),
        [line],
      );
    });
  });

  it('is listed by "watchword texts missing", with the English text of each key that it lacks', async () => {
    await withFiles({ 'sv.json': '{"login.title": "Logga in", "own.x": "y"}' }, async (locales) => {
      const { stdout } = await watchword(['texts', 'missing', 'sv', '--pages-locales', locales]);
      const [head, ...lines] = stdout.trimEnd().split('\n');
      assert.equal(head, `sv: 1 of ${english.size} texts of the pages`);
      assert.equal(lines.length, english.size - 1);
      assert.ok(lines.includes('login.submit: Sign in'));
      const json = await watchword(['texts', 'missing', 'sv', '--pages-locales', locales, '--json']);
      const others = [...english].filter(([key]) => key !== 'login.title');
      assert.deepEqual(JSON.parse(json.stdout), Object.fromEntries(others));
    });
    const none = await watchword(['texts', 'missing', 'pl', '--json']);
    assert.deepEqual(JSON.parse(none.stdout), {});
    const gui = await watchword(['texts', 'missing', 'pl', '--gui']);
    assert.match(gui.stdout, /^pl: 0 of \d+ texts of the administration GUI\n/);
    const wrong = await watchword(['texts', 'missing', 'no language']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /expected the tag of a language, such as fr or pt-BR, got "no language"/);
  });

  it('gives scopes a text; a scope without one is shown by its name', async () => {
    const texts = { 'scope.read': 'See <your> orders' };
    await withFiles({ 'en.json': JSON.stringify(texts) }, (locales) => {
      const consent = html(samplePage('consent', 'read'), testPages({ locales }));
      assert.match(
        consent,
        /value="read" checked>\n<span class="scope-text"><bdi>See &lt;your&gt; orders<\/bdi><\/span>/,
      );
      assert.match(consent, /<code><bdi>write<\/bdi><\/code>/);
    });
    assert.match(html(samplePage('account', 'constructor')), /<code><bdi>constructor<\/bdi><\/code>/);
  });

  it('replaces texts of modules', async () => {
    const moduleTexts = { en: { 'elsewhere.title': 'Elsewhere' } };
    await withFiles({ 'en.json': '{"elsewhere.title": "There"}' }, (locales) => {
      assert.match(problemsOf({ locales }), /"elsewhere\.title"/);
      assert.doesNotThrow(() => testPages({ locales, moduleTexts }));
    });
  });

  it('is not read again for the texts of a module that is made while pages are shown', async () => {
    await withFiles({ 'en.json': '{"login.title": "Hello"}' }, async (locales) => {
      const pages = testPages({ locales });
      await writeFile(`${locales}/en.json`, '{"login.title": "Half');
      pages.addTexts({ en: { 'elsewhere.title': 'Elsewhere' } });
      const texts = pages.texts('en');
      assert.deepEqual(
        ['login.title', 'elsewhere.title'].map((key) => texts.plain(key)),
        ['Hello', 'Elsewhere'],
      );
    });
  });

  it('cannot bring HTML onto a page', async () => {
    await withFiles({ 'en.json': '{"login.client": "<b>{client}</b> {nothing}"}' }, (locales) => {
      const login = html(samplePage('login', 'A&B'), testPages({ locales }));
      assert.ok(login.includes('&lt;b&gt;<bdi>A&amp;B</bdi>&lt;/b&gt; {nothing}'), login);
    });
  });
});

describe('a file of the operator with an error', () => {
  it('can be a locale file with unknown keys, each reported with the nearest known one', async () => {
    const files = {
      'nl.json': JSON.stringify({
        'login.titel': 'Hoi',
        'login.submit': 'Ga',
        Login: 'x',
        'corporate.locked': 'x',
      }),
      'fr.json': JSON.stringify({ 'erorr.details': 'Détails', 'error.nothing.title': 'x', 'scope.': 'x' }),
      'de.json': JSON.stringify({
        'scope.orders:read': 'Bestellungen sehen',
        'own.locked': 'Gesperrt',
        'error.invalid_scope.title': 'Das darf die Anwendung nicht',
      }),
    };
    await withFiles(files, (locales) => {
      const lines = problemsOf({ locales }).split('\n');
      const expected =
        'expected a key of the built-in texts, scope.{name}, or own.{name} for your modules and templates';
      assert.deepEqual(
        lines.map((line) => line.replaceAll(locales, '').replace(expected, '…')),
        [
          'pages.locales (/fr.json): …, got "erorr.details"; did you mean error.details?',
          'pages.locales (/fr.json): …, got "error.nothing.title"; did you mean error.not_found.title?',
          'pages.locales (/fr.json): …, got "scope."',
          'pages.locales (/nl.json): …, got "login.titel"; did you mean login.title?',
          'pages.locales (/nl.json): …, got "Login"',
          'pages.locales (/nl.json): …, got "corporate.locked"',
        ],
      );
    });
  });

  it('can be a template with an unknown name, reported with the nearest known one', async () => {
    const files = {
      'logn.eta': "<h1>Hi</h1><%~ include('@logn') %>",
      'unused.eta': 'x',
      'consent.eta': '<%~ include("@footer") %>',
      'footer.eta': 'x',
    };
    await withFiles(files, (templates) => {
      const lines = problemsOf({ templates }).split('\n');
      assert.equal(lines.length, 2);
      assert.match(lines[0] ?? '', /\/logn\.eta\): expected .*account, .*; did you mean login\.eta\?$/);
      assert.match(lines[1] ?? '', /\/unused\.eta\): expected .* includes as '@unused'$/);
    });
  });

  it('keeps the server from starting, and all of them are reported at once', async () => {
    const files = {
      'nl.json': '{\n"a": "b",\n}',
      'de.json': '{"a": 1}',
      'fr.json': '[]',
      'no language.json': '{}',
      'login.eta': '<%',
      'logo.gif': '',
      'big.png': 'x'.repeat(1024 * 1024 + 1),
    };
    await withFiles(files, (directory) => {
      const file = (name: string) => `${directory}/${name}`;
      const message = problemsOf({
        logo: file('logo.gif'),
        stylesheet: file('gone.css'),
        templates: directory,
        locales: directory,
      });
      assert.deepEqual(
        message
          .split('\n')
          .map((line) => line.replaceAll(directory, '').replace(/(cannot be read): .*/, '$1')),
        [
          'pages.logo (/logo.gif): expected a file that ends in .svg or .png',
          'pages.stylesheet (/gone.css): cannot be read',
          'pages.templates (/login.eta:1): unclosed tag',
          'pages.locales (/de.json): cannot be read',
          'pages.locales (/fr.json): cannot be read',
          'pages.locales (/nl.json): cannot be read',
          'pages.locales (/no language.json): expected a language tag as the file name, such as fr.json or pt-BR.json',
        ],
      );
      assert.match(message, /nl\.json\): cannot be read: .*line 3/);
      assert.match(message, /de\.json\): cannot be read: expected a text for a/);
      assert.match(problemsOf({ logo: file('big.png') }), /expected at most 1048576 bytes, got 1048577/);
      for (const setting of ['templates', 'locales']) {
        assert.match(problemsOf({ [setting]: file('gone') }), /pages\.\w+ \(.*gone\): expected a directory/);
      }
    });
  });

  it('ends the command with exit code 2, before a database is made', async () => {
    await withFiles({ 'login.eta': '<% } %>' }, async (templates) => {
      const database = `${templates}/x.db`;
      const { code, stderr } = await watchword([
        ...['serve', '--port', '0'],
        '--database',
        database,
        '--pages-templates',
        templates,
      ]);
      assert.equal(code, 2);
      assert.match(stderr, /The configuration has an error:\n {2}pages\.templates \(.*login\.eta:1\): /);
      assert.throws(() => readFileSync(database), /ENOENT/);
    });
  });
});

it('pages of one server keep their language after a request in another language', () => {
  const pages = testPages();
  const english = html(samplePage('login'), pages);
  const german = html(samplePage('login'), pages, { acceptLanguage: 'de' });
  assert.notEqual(english, german);
  assert.equal(html(samplePage('login'), pages), english);
  const { headers } = pages.render(samplePage('login'), { ...pageRequest, acceptLanguage: 'de-AT' });
  assert.equal(headers['content-language'], 'de');
});

function commentOf(template: string): string {
  const text = readFileSync(new URL(`../../templates/${template}.eta`, import.meta.url), 'utf8');
  return /^<% \/\*([\s\S]*?)\*\/ %>/.exec(text)?.[1] ?? assert.fail(`${template}.eta has no comment`);
}

function names(text: string): string[] {
  return [...text.matchAll(/`(\w+)(?:\(.*?\))?`/g)].map(([, name]) => name ?? '');
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, nested]) => [key, ...keysOf(nested)]);
}
