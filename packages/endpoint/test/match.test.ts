import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expandTemplate, match } from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const text = fc.oneof(fc.constantFrom('', 'x', 'a=b', 'a,b', 'x.y', '/', '%2F', 'ü', '1'), anyText());
const value = fc.oneof(
  text,
  fc.integer(),
  fc.constant(undefined),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
);
/** Any, of which those count that can be reversed. */
const template = fc
  .array(
    fc.tuple(
      fc.constantFrom('', '', '+', '#', '.', '/', ';', '?', '&'),
      fc.constantFrom('', '', '*'),
      fc.constantFrom('}', '}', '},'),
      fc.constantFrom('', '', '/', '-', '.json', 'x', '/x', '?q=', '&', '%20', 'ü', ','),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => {
    let isOpen = false;
    const texts = pieces.map(([operator, explode, end, literal], index) => {
      const begin = isOpen ? ',' : `{${operator}`;
      isOpen = end === '},' && index < pieces.length - 1;
      return `${begin}${NAMES[index]}${explode}${isOpen ? '' : `}${literal}`}`;
    });
    return texts.join('');
  });

function isReversible(pattern: string): boolean {
  try {
    match(pattern, '');
    return true;
  } catch {
    return false;
  }
}

describe('match', () => {
  test('gives the variables of a URL', () => {
    for (const [pattern, url, variables] of [
      ['/repos/{owner}/{repo}', '/repos/octocat/hello%20world', { owner: 'octocat', repo: 'hello world' }],
      ['https://{host}/x', 'https://a.example/x', { host: 'a.example' }],
      ['/users/{id}{?fields*}', '/users/7?fields=name&fields=email', { id: '7', fields: ['name', 'email'] }],
      ['/users/{id}{?fields*}', '/users/7', { id: '7' }],
      ['/{file}.json', '/a.json.json', { file: 'a.json' }],
      ['/compare/{base}...{head}', '/compare/main...dev', { base: 'main', head: 'dev' }],
      ['/contents{/path*}', '/contents/docs/a%2Fb', { path: ['docs', 'a/b'] }],
      ['/contents/{+path}', '/contents/docs/a%20b', { path: 'docs/a%20b' }],
      ['{?a,b}', '?b=2', { b: '2' }],
      ['{?a,b}', '?a=&b=1,2', { a: '', b: ['1', '2'] }],
      [
        '/x{?a*}',
        '/x?k=1&l=2',
        {
          a: [
            ['k', '1'],
            ['l', '2'],
          ],
        },
      ],
      ['{;a,b}', ';a;b=1', { a: '', b: '1' }],
      ['/x{/a}/x{/b}', '/x/x/y', { b: 'y' }],
      ['/x', '/x', {}],
    ] as const) {
      assert.deepEqual(match(pattern, url), variables, `${pattern} ${url}`);
    }
  });

  test('gives nothing for a URL that no variables make of the template', () => {
    for (const [pattern, url] of [
      ['/users/{id}', '/users/7/x'],
      ['/users/{id}', '/orgs/7'],
      ['/x{?a,b}', '/x?b=2&a=1'],
      ['/x/{a}', '/x/%c3%bc'],
      ['/x/{a}', '/x/%FF'],
      ['/x/{a}', '/x/%41'],
      ['/x/{a}', '/x/a b'],
      ['/x', ''],
    ] as const) {
      assert.equal(match(pattern, url), undefined, `${pattern} ${url}`);
    }
  });

  test('gives what expands to the URL again, to the letter', () => {
    fc.assert(
      fc.property(
        template.filter(isReversible),
        fc.array(value, { minLength: 6, maxLength: 6 }),
        (pattern, values) => {
          const variables = Object.fromEntries(NAMES.map((name, index) => [name, values[index]]));
          const url = expandTemplate(pattern, variables);
          const found = match(pattern, url);
          assert.ok(found, `${pattern} ${url}`);
          assert.equal(expandTemplate(pattern, found), url, pattern);
        },
      ),
      { numRuns: rounds(150, 100_000) },
    );
  });

  test('says why a template cannot be reversed', () => {
    assert.throws(() => match('/{a:3}', '/abc'), {
      code: 'IRREVERSIBLE_TEMPLATE',
      message: '{a:3} has only the beginning of its value',
    });
    assert.throws(() => match('/{a}/{a}', '/b/b'), {
      code: 'IRREVERSIBLE_TEMPLATE',
      message: '"a" is there twice',
    });
    assert.throws(() => match('/{a*}', '/b'), {
      code: 'IRREVERSIBLE_TEMPLATE',
      message: '{a*} can be a list or pairs',
    });
    assert.throws(() => match('/{a}{b}', '/b'), {
      code: 'IRREVERSIBLE_TEMPLATE',
      message: 'The end of "a" before "b" cannot be seen',
    });
    for (const pattern of ['{/a*}{/b}{/c*}', '{/a*}{/b}', '{;a*,b},{c}', '{+a}{/b*}']) {
      assert.throws(() => match(pattern, '/b'), { code: 'IRREVERSIBLE_TEMPLATE' }, pattern);
    }
    assert.throws(() => match('{/a*}.json', '/b'), {
      code: 'IRREVERSIBLE_TEMPLATE',
      message: '.json after "a" can be a part of its value',
    });
    assert.throws(() => match('/{a', '/b'), { code: 'INVALID_TEMPLATE' });
  });

  test('a variable of any name is nothing but a variable', () => {
    const found = match('/{__proto__}/{constructor}', '/a/b');
    assert.deepEqual(Object.entries(found ?? {}), [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});
