import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import {
  createEndpoint,
  type Endpoint,
  EndpointError,
  expandTemplate,
  type Options,
  type StandardSchema,
} from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { type ReferenceCall, referenceEndpoint } from './support/reference-endpoint.ts';
import { encode, expandExpression, parseTemplate, Refused } from './support/reference-template.ts';
import { templateData } from './support/reference-values.ts';

const written = (name: string, value: unknown): unknown => {
  if (value instanceof URLSearchParams || typeof value === 'bigint') return `${typeof value} ${value}`;
  // Their order means nothing.
  return name === 'headers' ? Object.entries(Object(value)).toSorted() : value;
};

/** What comes of a call: a result, as it is written, or the code of an error. Any other error is a bug. */
function outcome(call: () => unknown): string {
  try {
    return JSON.stringify(call(), written);
  } catch (error) {
    if (error instanceof EndpointError || error instanceof Refused) return error.code;
    throw error;
  }
}

function referenceExpand(template: string, variables: Readonly<Record<string, unknown>>): string {
  const dataOf = (name: string) => templateData(Object.hasOwn(variables, name) ? variables[name] : undefined);
  return parseTemplate(template)
    .map((part) => (typeof part === 'string' ? encode(part, true) : expandExpression(part, dataOf)))
    .join('');
}

const text = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e',
    '%2F',
    '/',
    'a/../b',
    '//a',
    '..;x',
    'a&b=c',
    '100%',
    'é',
    '\ud800',
    "!'()*",
  ),
  anyText(),
  fc.stringMatching(/^\w{1,6}$/),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.bigInt(),
  fc.constantFrom(null, undefined),
);
const date = fc.date({ noInvalidDate: true });
const member = fc.oneof(
  scalar,
  fc.jsonValue({ maxDepth: 2 }),
  date,
  fc.array(fc.integer(), { maxLength: 2 }).map((list) => new Set(list)),
  fc.dictionary(text, fc.integer(), { maxKeys: 2 }).map((object) => new Map(Object.entries(object))),
);
/** Everything that the README's table of values names. */
const value = fc.oneof(
  scalar,
  scalar,
  fc.array(member, { maxLength: 3 }),
  fc.dictionary(text, member, { maxKeys: 3 }),
  fc.array(fc.tuple(text, member), { maxLength: 3 }),
  date,
  fc.array(member, { maxLength: 3 }).map((list) => new Set(list)),
  // Defaults keep an object of its members, in which names that are numbers come first.
  fc
    .array(fc.tuple(text, member), { maxLength: 3 })
    .map((entries) => new Map(entries.filter(([key]) => !/^\d+$/.test(key)))),
  fc.array(fc.tuple(text, text), { maxLength: 3 }).map((entries) => new URLSearchParams(entries)),
  fc.oneof(fc.integer(), text, fc.boolean()).map((boxed) => Object(boxed)),
  text.map((own) => ({ toString: () => `own ${own}` })),
  text.map((own) => ({ toJSON: () => own })),
  fc.constantFrom(Promise.resolve(), () => 1, Symbol('a'), new Uint8Array(2), new Date(Number.NaN)),
);

const NAMES = ['a', 'b', 'c', 'a.b', '%41', '_', '__proto__', 'constructor'];
const spec = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('', '', '', '*', ':1', ':3', ':9999'))
  .map((pieces) => pieces.join(''));
const expression = fc
  .tuple(
    fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&'),
    fc.array(spec, { minLength: 1, maxLength: 3 }),
  )
  .map(([operator, specs]) => `{${operator}${specs.join(',')}}`);
const literal = fc.oneof(
  fc.constantFrom('/', '/x', '?q=', '#', '%', '%41', ' ', ':a', '/:b'),
  anyText().map((any) => any.replace(/[{}]/g, '')),
);
const template = fc.array(fc.oneof(literal, expression), { maxLength: 5 }).map((parts) => parts.join(''));
const variables = fc.dictionary(fc.constantFrom(...NAMES), value);

describe('expandTemplate', () => {
  test('gives what the sentences of RFC 6570 and the table of values say', () => {
    fc.assert(
      fc.property(template, variables, (pattern, values) => {
        assert.equal(
          outcome(() => expandTemplate(pattern, values)),
          outcome(() => referenceExpand(pattern, values)),
        );
      }),
      { numRuns: rounds(150, 30_000) },
    );
  });

  test('refuses what the grammar of RFC 6570 refuses', () => {
    const pieces = fc.constantFrom(
      '{',
      '{',
      '}',
      '}',
      '*',
      ':',
      ',',
      '+',
      '?',
      'a',
      '1',
      '0',
      '%',
      '%41',
      '.',
      '=',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join('')),
        (pattern) => {
          assert.equal(
            outcome(() => expandTemplate(pattern, { a: 'x' })),
            outcome(() => referenceExpand(pattern, { a: 'x' })),
          );
        },
      ),
      { numRuns: rounds(150, 30_000) },
    );
  });

  test('gives what std-uritemplate gives, where that follows the RFC', () => {
    // It leaves '()* as they are, and what is no character of a URI in literals and in {+x}, and empty
    // members of {;x} have another sign there.
    const plain = fc.stringMatching(/^[\w.~ é漢😀/?#@:&=+,;$[\]-]{0,8}$/u);
    const full = plain.filter((content) => content !== '');
    const plainValue = fc.oneof(
      plain,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(full, { maxLength: 3 }),
      fc.dictionary(
        full.filter((name) => name !== '__proto__'),
        full,
        { maxKeys: 3 },
      ),
    );
    const plainTemplate = fc.array(fc.oneof(fc.stringMatching(/^[\w/.é~-]{0,5}$/u), expression), {
      maxLength: 5,
    });
    const names = ['a', 'b', 'c', 'a.b', '_'];
    fc.assert(
      fc.property(
        plainTemplate.map((parts) => parts.join('').replace(/%41|__proto__|constructor/g, '_')),
        fc.dictionary(fc.constantFrom(...names), plainValue),
        (pattern, values) => {
          const ours = outcome(() => expandTemplate(pattern, values));
          // A prefix of a list or an object, which it takes.
          fc.pre(ours !== 'INVALID_VALUE');
          assert.equal(ours, JSON.stringify(StdUriTemplate.expand(pattern, values as never)));
        },
      ),
      { numRuns: rounds(150, 30_000) },
    );
  });
});

const header = fc.constantFrom('X-A', 'x-a', 'x-b', 'Accept', 'content-type');
const headerValue = fc.oneof(
  fc.constantFrom(
    'application/vnd.github.v3+json',
    'text/html',
    'application/octet-stream',
    null,
    undefined,
    7,
  ),
  fc.stringMatching(/^[!-~é]{1,6}$/),
  fc.constantFrom('a\nb', '漢'),
);
const arrays = fc.constantFrom('comma', 'repeat', 'brackets', 'indices');
const objects = fc.constantFrom('form', 'deepObject');
const oneStyle = fc.record({ arrays, objects }, { requiredKeys: [] });
const settings = fc.record(
  {
    baseUrl: fc.constantFrom(
      'https://b.example',
      'https://b.example:1/v1/',
      'http://b.example/?k=1',
      'https://b.example/v1?k=1',
    ),
    headers: fc.dictionary(header, headerValue, { maxKeys: 2 }),
    mediaType: fc.record(
      {
        format: fc.constantFrom('raw', '', undefined),
        previews: fc.subarray(['one', 'two-preview', 'one-preview']),
      },
      { requiredKeys: [] },
    ),
    request: fc.oneof(fc.constantFrom(null, 7), fc.dictionary(fc.constantFrom('x', 'y'), fc.integer())),
    style: fc
      .tuple(oneStyle, fc.dictionary(fc.constantFrom('a', 'b'), oneStyle, { maxKeys: 2 }))
      .map(([style, parameters]) => ({ ...style, parameters })),
  },
  { requiredKeys: [] },
);
const more = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e f', 'a&', '__proto__'), value, {
  maxKeys: 5,
});
const options = fc.tuple(settings, more).map(([some, parameters]) => ({ ...parameters, ...some }));
const data = fc.oneof(
  fc.constant(undefined),
  fc.constant(undefined),
  text,
  fc.jsonValue(),
  member.filter((some) => typeof some !== 'bigint'),
  fc.constant(new URLSearchParams('a=b')),
);
const url = fc
  .tuple(
    fc.constantFrom('', '', '', 'https://a.example', 'http://a.example:8080'),
    fc.constantFrom('/', '/x', '/x/', '', '/graphql', 'x'),
    fc.array(
      fc.oneof(
        fc.constantFrom(
          '/',
          '/y',
          '/:a',
          '/:b.json',
          '.json',
          '/{a}/z',
          '/{+b}',
          '{/a,b*}',
          '{?c}',
          '{?a*,d}',
          '?q=1',
          '&',
          '{&b}',
          '#f',
          '{#a}',
        ),
        expression,
      ),
      { maxLength: 4 },
    ),
  )
  .map(([origin, start, parts]) => origin + start + parts.join(''))
  .filter((whole) => whole !== '' && !/^(?:https?:\/\/[^/?#]*)?\/\/|^https?:\/\/[^/?#]*\{/.test(whole));
const call: fc.Arbitrary<ReferenceCall> = fc
  .record({
    method: fc.constantFrom(
      ...['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'QUERY'],
      ...['OPTIONS', 'PROPFIND', 'REPORT', 'TRACE', 'X-Y'],
    ),
    url,
    levels: fc.array(options, { maxLength: 2 }),
    own: options,
    body: data,
    parameters: fc.option(
      fc.dictionary(fc.constantFrom('a', 'b', 'baseUrl', 'url', 'data', 'method'), value),
      {
        nil: undefined,
      },
    ),
    hasRoute: fc.boolean(),
  })
  .map(({ method, url: place, levels, own, body, parameters, hasRoute }) => {
    const given = { ...own, ...(body === undefined ? {} : { data: body }) };
    const first = {
      baseUrl: 'https://a.example',
      headers: { accept: 'application/json', 'user-agent': 'u' },
    };
    return {
      levels: [first, ...levels],
      route: hasRoute ? `${method} ${place}` : undefined,
      options: hasRoute ? given : { ...given, method, url: place },
      parameters: hasRoute ? parameters : undefined,
    };
  });

/** The endpoint function with the defaults of a call. */
function withDefaults({ levels: [, ...defaults] }: ReferenceCall): Endpoint {
  const first = createEndpoint({ baseUrl: 'https://a.example', userAgent: 'u' });
  return defaults.reduce((build, level) => build.defaults(level as Options), first);
}

/** The result of a call, with further options. */
function build(one: ReferenceCall, more: Options = {}) {
  const { route, options: given, parameters } = one;
  const all = { ...given, ...more } as Options;
  return route === undefined
    ? withDefaults(one)(all)
    : withDefaults(one)(route as string, all, parameters as never);
}

/** Takes everything. */
const schema: StandardSchema = { '~standard': { validate: (taken) => ({ value: taken }) } };

describe('endpoint', () => {
  test('gives what the README says of each option, method and value', () => {
    fc.assert(
      fc.property(call, (one) => {
        assert.equal(
          outcome(() => build(one)),
          outcome(() => referenceEndpoint(one)),
        );
      }),
      { numRuns: rounds(150, 30_000) },
    );
  });

  test('gives the same by merge and parse, by url, with a schema that takes everything, and in strict mode what is not refused', () => {
    fc.assert(
      fc.property(call, (one) => {
        const { route, options: given, parameters } = one;
        const plain = outcome(() => build(one));
        assert.equal(
          outcome(() => build(one, { schema })),
          plain,
        );
        if (parameters === undefined) {
          const byParts = () => {
            const way = withDefaults(one);
            return way.parse(
              route === undefined ? way.merge(given as Options) : way.merge(route as string, given),
            );
          };
          assert.equal(outcome(byParts), plain);
        }
        if (!plain.startsWith('{')) return;
        const { url: urlOf } = withDefaults(one);
        const url =
          route === undefined
            ? urlOf(given as Options)
            : urlOf(route as string, given as Options, parameters as never);
        assert.equal(url, JSON.parse(plain).url);
        const strict = outcome(() => build({ ...one, levels: [...one.levels, { strict: true }] }));
        if (strict.startsWith('{')) assert.equal(strict, plain);
      }),
      { numRuns: rounds(80, 20_000) },
    );
  });
});
