import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { routes } from '../src/router/routes.ts';
import { around, calledName, type SourceNode, sources } from './support/sources.ts';
import { languages, tableOf } from './support/tables.ts';
import { parametersOf, textParameters } from './support/text-parameters.ts';

const english = tableOf('en');
const keys = Object.keys(english);
const all = sources();
const calls = new Set(['t', 'rich', 'problem']);

/** Attributes and arguments whose texts are for programs. */
const forPrograms = new Set(['className', 'd', 'viewBox', 'classNames', 'data-testid']);
const notShown = new Set([
  'Error',
  'MissingPartError',
  'lines',
  'match',
  'querySelector',
  'querySelectorAll',
]);
/** Names of keys of the keyboard, of libraries and of standards. */
const names = new Set([
  ...['Enter', 'Escape', 'Backspace', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
  ...[
    'DISPLAY_NAME',
    'EMAIL',
    'SECRET',
    'TOKEN',
    'RANDOM',
    'GET',
    'POST',
    'GET',
    'S256',
    'EdDSA',
    'JSON Web Key',
    'PEM',
    'NFKC',
    'Watchword',
    'read write',
    'MissingPartError',
    ...['Express', 'SPA', 'Spring Boot', 'Python', 'Grafana', 'Gitea', 'ASP.NET Core', 'Go', 'PHP'],
    'dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
    'composer require jumbojett/openid-connect-php',
  ],
]);

describe('the texts of the GUI', () => {
  it('have typed keys and values; after a change: npm run texts -w packages/console', (test) => {
    const file = fileURLToPath(new URL('../src/texts/parameters.ts', import.meta.url));
    test.assert.fileSnapshot(textParameters(english), file, { serializers: [String] });
  });

  it('are in the tables, and none is in the code', () => {
    const found = all.flatMap(({ file, nodes, lineOf }) =>
      nodes.filter(isShownText).map((node) => `${file}:${lineOf(node)} ${textOfNode(node)}`),
    );
    assert.deepEqual(found, []);
  });

  it('are all used', () => {
    const page = readFileSync(new URL('../src/client.html', import.meta.url), 'utf8');
    const used = new Set([...page.matchAll(/\{([\w.]+)\}/g)].map(([, key]) => key));
    const patterns: RegExp[] = [];
    for (const node of all.flatMap(({ nodes }) => nodes)) {
      if (node.type === 'Literal') used.add(String(node.value));
      if (node.type === 'TemplateLiteral') patterns.push(patternOf(node));
    }
    assert.deepEqual(
      keys.filter((key) => !used.has(key) && !patterns.some((pattern) => pattern.test(key))),
      [],
    );
  });

  it('are in the served page as the heading of every page that has one address', () => {
    const page = readFileSync(new URL('../src/client.html', import.meta.url), 'utf8');
    const headed = [...page.matchAll(/data-route="([^"]+)"/g)].map(([, route]) => route);
    const wanted = Object.values(routes).filter((route) => !route.includes(':'));
    assert.deepEqual(headed.toSorted(), wanted.toSorted());
  });

  it('name a field by words, not as programs call it', () => {
    const called = new Set(['label', 'header', 'title', 'clientId']);
    const programs = all.flatMap(({ file, nodes, lineOf }) =>
      nodes
        .filter(({ type, key, value }) => {
          const [name, given] = [key as SourceNode | undefined, value as SourceNode | undefined];
          return type === 'Property' && called.has(String(name?.name)) && given?.type === 'Literal';
        })
        .filter(({ value }) => /^[a-z]+[A-Z]\w*$/.test(String((value as SourceNode).value)))
        .map((node) => `${file}:${lineOf(node)}`),
    );
    assert.deepEqual(programs, []);
    const said = languages.flatMap((language) =>
      Object.entries(tableOf(language))
        .filter(([, text]) => /clientId/.test(text.replaceAll('{clientId}', '')))
        .map(([key]) => `${language} ${key}`),
    );
    assert.deepEqual(said, []);
    const labels = keys.filter((key) => /^field\.|^client\.idName$|^server\.keyName$/.test(key));
    assert.deepEqual(
      labels.filter((key) => /^\p{Ll}/u.test(english[key] ?? '')),
      [],
    );
  });

  it('of what takes something away stand apart: in the danger zone, in a menu of a row, or below a choice of rows', () => {
    const apart = /dialog|danger-zone|bulk|found-token|controls\/button/;
    const others = all.flatMap(({ file, nodes }) =>
      nodes.filter(({ type, value }) => type === 'Literal' && value === 'red').map(() => file),
    );
    assert.deepEqual(
      others.filter((file) => !apart.test(file)),
      [],
    );
  });

  it('are read when they are shown, because they are loaded after the modules', () => {
    const early = all.flatMap(({ file, nodes, lineOf }) =>
      nodes
        .filter((node) => calls.has(calledName(node) ?? '') && !isInFunction(node))
        .map((node) => `${file}:${lineOf(node)}`),
    );
    assert.deepEqual(early, []);
  });

  it('with tags are shown as elements', () => {
    const tagged = new Set(keys.filter((key) => /<\w+>/.test(english[key] ?? '')));
    const plain = all.flatMap(({ nodes }) =>
      nodes.filter((node) => {
        const [first] = (node.arguments ?? []) as readonly SourceNode[];
        return calledName(node) === 't' && tagged.has(String(first?.value));
      }),
    );
    assert.deepEqual(
      plain.map(({ start }) => start),
      [],
    );
  });
});

for (const language of languages) {
  describe(`the texts of the GUI in the language ${language}`, () => {
    const table = tableOf(language);
    it('have the keys of the English ones, in their order', () => {
      assert.deepEqual(Object.keys(table), keys);
    });

    it('have the values and tags of the English ones', () => {
      for (const key of keys) {
        assert.deepEqual(parametersOf(table[key] ?? ''), parametersOf(english[key] ?? ''), key);
      }
    });

    it('have a form for each plural category of the language', () => {
      const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
      for (const [key, text] of Object.entries(table)) {
        for (const [, forms = ''] of text.matchAll(/:plural\|([^}]*)\}/g)) {
          const given = forms.split('|').map((form) => form.split('=')[0]);
          assert.deepEqual(given.toSorted(), categories, key);
        }
      }
    });
  });
}

/** Whether a node is a text that people would read. */
function isShownText(node: SourceNode): boolean {
  const text = textOfNode(node);
  if (text === undefined || !/\p{L}{2}/u.test(text)) return false;
  if (node.type !== 'JSXText' && !/\p{L}[,:;.!?…]* +\p{L}/u.test(text) && !/^\p{Lu}\p{L}+$/u.test(text))
    return false;
  if (names.has(text)) return false;
  for (const outer of around(node)) {
    if (calls.has(calledName(outer) ?? '') || notShown.has(calledName(outer) ?? '')) return false;
    const { name, key } = outer as unknown as { name?: { name?: string }; key?: { name?: string } };
    if (outer.type === 'JSXAttribute' && forPrograms.has(name?.name ?? '')) return false;
    if (outer.type === 'Property' && forPrograms.has(key?.name ?? '')) return false;
    if (/^TS|^Import|^Export(?:All)/.test(outer.type)) return false;
  }
  return true;
}

function textOfNode(node: SourceNode): string | undefined {
  if (node.type === 'JSXText') return String(node.value).trim();
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateElement') return (node.value as { readonly cooked: string }).cooked;
  return undefined;
}

/** What a template can be, with any text in the place of its values. */
function patternOf({ quasis }: SourceNode): RegExp {
  const parts = (quasis as readonly { readonly value: { readonly cooked: string } }[]).map(
    ({ value }) => value.cooked,
  );
  // A template that begins with a value would fit every key.
  const source = parts[0]?.includes('.')
    ? parts.map((part) => part.replaceAll('.', '\\.')).join('\\w+')
    : '(?!)';
  return new RegExp(`^${source}$`);
}

function isInFunction(node: SourceNode): boolean {
  return [...around(node)].some(({ type }) => /Function/.test(type));
}
