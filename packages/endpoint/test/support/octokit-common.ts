import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import type { Builder } from './octokit-differences.ts';

const RESERVED = new Set([
  ...['method', 'url', 'data', 'headers', 'request', 'style', 'strict', 'schema'],
  ...['accept', 'user-agent'],
]);

/** No option. */
const name = fc.stringMatching(/^[a-z]{2,6}$/).filter((text) => !RESERVED.has(text));
const any = anyText({ minLength: 1 });
/** No dot segment. */
const segment = fc.oneof(
  fc.integer(),
  any.filter((value) => !/^\.{1,2}$/.test(value)),
);
/** The row of the query has these characters. */
const text = any.map((value) => value.replace(/[!'()*]/g, '-'));
const scalar = fc.oneof(fc.integer(), fc.boolean(), text);
const listed = fc.oneof(scalar, fc.array(fc.oneof(fc.integer(), text), { minLength: 1, maxLength: 3 }));
const parameters = fc.dictionary(name, scalar, { maxKeys: 3 });
const json = fc.dictionary(
  name.map((any) => `${any}_json`),
  fc.jsonValue(),
  { maxKeys: 3 },
);
const headers = fc.dictionary(fc.stringMatching(/^X-[A-Za-z-]{1,6}$/), fc.stringMatching(/^[!-~]{0,8}$/), {
  maxKeys: 2,
});
const accept = fc.constantFrom(
  {},
  { accept: 'application/vnd.github.v3+json' },
  { accept: 'text/html' },
  { Accept: 'application/octet-stream' },
);
const mediaType = fc.constantFrom({}, { format: 'raw' }, { format: 'html+json' }, { previews: ['one'] });
const options = fc
  .tuple(headers, accept, mediaType, fc.constantFrom({}, { baseUrl: 'https://b.example:8443/api/v3' }))
  .map(([own, accepted, media, base]) => ({ headers: { ...own, ...accepted }, mediaType: media, ...base }));

type Filled = readonly [template: string, values: object];

const filled = (
  values: fc.Arbitrary<unknown>,
  ...shapes: readonly ((name: string) => string)[]
): fc.Arbitrary<Filled> =>
  fc
    .tuple(fc.constantFrom(...shapes), name, values)
    .map(([shape, variable, value]) => [shape(variable), { [variable]: value }]);

const path = fc.array(
  fc.oneof(
    fc.stringMatching(/^\/[a-z][\w-]{0,6}$/).map((literal): Filled => [literal, {}]),
    filled(
      segment,
      (variable) => `/{${variable}}`,
      (variable) => `{/${variable}}`,
      (variable) => `/:${variable}`,
      (variable) => `/a-{${variable}}.json`,
    ),
  ),
  { minLength: 1, maxLength: 5 },
);
const query = fc.oneof(
  fc.constantFrom<Filled>(['', {}], ['?a=1', {}]),
  filled(
    listed,
    (variable) => `{?${variable}}`,
    (variable) => `?a=1{&${variable}}`,
  ),
);

/** Calls of both packages of which no row of the README's table speaks. */
export const commonCall: fc.Arbitrary<(build: Builder) => unknown> = fc
  .record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'QUERY'),
    host: fc.constantFrom('', '', 'https://a.example', 'http://a.example:8080/v1'),
    pieces: fc.tuple(path, query).map(([parts, last]) => [...parts, last]),
    levels: fc.array(fc.tuple(parameters, options), { maxLength: 2 }),
    own: fc.tuple(parameters, options),
    body: json,
    data: fc.option(fc.oneof(json, fc.array(fc.jsonValue()))),
    way: fc.constantFrom('route', 'options', 'merge'),
  })
  .map(({ method, host, pieces, levels, own: [more, given], body, data, way }) => {
    const url = host + pieces.map(([template]) => template).join('');
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const call = {
      ...more,
      ...given,
      // Without a body, PATCH and PUT have a row.
      ...(hasBody ? { ...body, sent: 1 } : {}),
      ...(hasBody && data && method !== 'QUERY' ? { data } : {}),
      ...Object.assign({}, ...pieces.map(([, values]) => values)),
    };
    return (build) => {
      const one = levels.reduce((last, [some, defaults]) => last.defaults({ ...some, ...defaults }), build);
      if (way === 'route') return one(`${method} ${url}`, call);
      if (way === 'options') return one({ ...call, method, url });
      return one.parse(one.merge({ ...call, method, url }));
    };
  });
