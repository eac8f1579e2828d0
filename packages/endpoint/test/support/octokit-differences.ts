interface Result {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly request?: unknown;
}

interface Merged {
  readonly mediaType: object;
}

/** What this package and `@octokit/endpoint` have in common, without their types, which differ. */
export interface Builder {
  (route: string | object, options?: object, parameters?: object): Result;
  readonly DEFAULTS: object;
  readonly defaults: (options: object) => Builder;
  readonly merge: (route?: string | object, options?: object) => Merged;
  readonly parse: (options: object) => Result;
}

/** Begins with the first cell of a row in the README's table. Of an error what counts is its code or message. */
type Difference = readonly [row: string, call: (build: Builder) => unknown, ours: unknown, octokit: unknown];

const GITHUB = 'https://api.github.com';
const V3 = 'application/vnd.github.v3';
const raw = (accept?: string) => ({ headers: { accept }, mediaType: { format: 'raw' } });

function changedLater(build: Builder): unknown {
  const labels = ['a'];
  const { body } = build('POST /x', { labels });
  labels.push('b');
  return (body as { labels: unknown }).labels;
}

export const DIFFERENCES: readonly Difference[] = [
  ['`method` of a result', (build) => build('GET /').method, 'get', 'GET'],
  [
    'missing path variable',
    (build) => build('GET /repos/{owner}/{repo}', { owner: 'o' }).url,
    'MISSING_VARIABLE',
    `${GITHUB}/repos/o`,
  ],
  ['missing URL', (build) => build.parse({ ...build.DEFAULTS }).url, 'MISSING_URL', `${GITHUB}/`],
  [
    'with a route, `method` and `url` among the options',
    (build) => build('GET /a', { method: 'POST', url: '/b' }).url,
    `${GITHUB}/a`,
    `${GITHUB}/b`,
  ],
  [
    'value `..` or with a host',
    (build) => build('GET {+path}', { path: '.evil.example' }).url,
    'UNSAFE_VALUE',
    `${GITHUB}.evil.example`,
  ],
  [
    'expression or blank in the host of a URL',
    (build) => build('GET https://{host}/', { host: 'evil.example' }).url,
    'INVALID_URL',
    'https://evil.example',
  ],
  [
    'URL without a slash at its beginning (`users`)',
    (build) => build('GET users').url,
    `${GITHUB}/users`,
    `${GITHUB}users`,
  ],
  [
    'third argument for untrusted parameters',
    (build) => build('GET /x', {}, { url: 1 }).url,
    `${GITHUB}/x?url=1`,
    `${GITHUB}/x`,
  ],
  [
    'header names and values, method',
    (build) => build('GET /x', { headers: { a: 'b\nc: d' } }).headers.a,
    'INVALID_HEADER',
    'b\nc: d',
  ],
  [
    'header value that is a number (`content-length`)',
    (build) => build('POST /x', { headers: { 'content-length': 14 } }).headers['content-length'],
    '14',
    14,
  ],
  [
    'header value null',
    (build) => 'accept' in build('GET /x', { headers: { accept: null } }).headers,
    false,
    true,
  ],
  [
    '`user-agent`',
    (build) => build('GET /x').headers['user-agent']?.replace(/\/.*/, ''),
    'watchword-endpoint',
    'octokit-endpoint.js',
  ],
  ['route with a blank in its URL', (build) => build('GET /a b').url, `${GITHUB}/a%20b`, `${GITHUB}/a`],
  [
    '`:name`',
    (build) => build('GET /:a/1:go', { a: 'b', go: 'c' }).url,
    `${GITHUB}/b/1:go?go=c`,
    `${GITHUB}/:a/1c?a=b`,
  ],
  [
    'query',
    (build) => build('GET /x#f', { a: ['b', 'c d'], 'e[]': null, f: '(!)' }).url,
    `${GITHUB}/x?a=b,c%20d&f=%28%21%29#f`,
    `${GITHUB}/x#f?a=b%2Cc%20d&e[]=null&f=(!)`,
  ],
  ['`q` with `+`', (build) => build('GET /x', { q: 'a+b' }).url, `${GITHUB}/x?q=a%2Bb`, `${GITHUB}/x?q=a+b`],
  [
    'sets, maps, boxed primitives, what has a text of its own',
    (build) => build('GET /x', { a: new Set([1, 2]) }).url,
    `${GITHUB}/x?a=1,2`,
    `${GITHUB}/x?a=%5Bobject%20Set%5D`,
  ],
  [
    'bytes, promises, functions and the like as values',
    (build) => build('GET /x', { a: Promise.resolve() }).url,
    'INVALID_VALUE',
    `${GITHUB}/x?a=%5Bobject%20Promise%5D`,
  ],
  [
    'sets and maps in a JSON body',
    (build) => JSON.stringify(build('POST /x', { a: new Set([1]) }).body),
    '{"a":[1]}',
    '{"a":{}}',
  ],
  [
    'functions, promises, forms and the like in a JSON body',
    (build) => JSON.stringify(build('POST /x', { a: new URLSearchParams('b=1') }).body),
    'INVALID_VALUE',
    '{"a":{}}',
  ],
  [
    'invalid dates in a URL',
    (build) => build('GET /x', { a: new Date(Number.NaN) }).url,
    'INVALID_VALUE',
    `${GITHUB}/x?a=Invalid%20Date`,
  ],
  [
    'errors of JavaScript: cyclic data, throwing getters …',
    (build) => build('GET /x', { a: Symbol('b') }).url,
    'INVALID_VALUE',
    'Cannot convert a Symbol value to a string',
  ],
  [
    'variables with modifiers (`{name:3}`)',
    (build) => build('GET /{a:1}', { a: 'bc' }).url,
    `${GITHUB}/b`,
    `${GITHUB}/b?a=bc`,
  ],
  [
    'exploded lists (`{?list*}`)',
    (build) => build('GET /x{?a*}', { a: ['1', '2'] }).url,
    `${GITHUB}/x?a=1&a=2`,
    `${GITHUB}/x?a=1,a=2`,
  ],
  [
    'expressions without a value (`{/a}{?b,c}`)',
    (build) => build('GET /x{/a}{?b,c}').url,
    `${GITHUB}/x`,
    `${GITHUB}/x/?&`,
  ],
  ['malformed template', (build) => build('GET /x{a').url, 'INVALID_TEMPLATE', `${GITHUB}/x{a`],
  ['trailing slash of a URL', (build) => build('GET /x/').url, `${GITHUB}/x/`, `${GITHUB}/x`],
  [
    '`baseUrl` with a trailing slash or a query',
    (build) => build('GET /x', { baseUrl: 'https://a.example/?k=1' }).url,
    'https://a.example/x?k=1',
    'https://a.example/?k=1/x',
  ],
  [
    '`url` as a `URL` object',
    (build) => build({ url: new URL('https://a.example/b') }).url,
    'https://a.example/b',
    '(options.url || "/").replace is not a function',
  ],
  [
    '`content-type` of text, forms, bytes, streams in `data`',
    (build) => build('POST /x', { data: 'text' }).headers['content-type'],
    undefined,
    'application/json; charset=utf-8',
  ],
  ['PATCH and PUT without a body', (build) => build('PUT /x').body, undefined, ''],
  [
    'OPTIONS and other verbs with parameters',
    (build) => build('OPTIONS /x', { a: 1 }).url,
    `${GITHUB}/x?a=1`,
    `${GITHUB}/x`,
  ],
  [
    'parameters that are objects',
    (build) => build.defaults({ a: { b: 1 } })('POST /x', { a: { c: 2 } }).body,
    { a: { c: 2 } },
    { a: { b: 1, c: 2 } },
  ],
  [
    '`data` with GET',
    (build) => build('GET /x', { data: 'text' }).url,
    'UNEXPECTED_DATA',
    `${GITHUB}/x?data=text`,
  ],
  [
    'members of `request`',
    (build) => build.defaults({ request: { a: { b: 1 } } })('GET /x', { request: { a: { c: 2 } } }).request,
    { a: { c: 2 } },
    { a: { b: 1, c: 2 } },
  ],
  ['results and `DEFAULTS`', changedLater, ['a'], ['a', 'b']],
  ['`request` that is null', (build) => 'request' in build('GET /x', { request: null }), true, false],
  [
    '`mediaType` of `DEFAULTS` and `merge`',
    (build) => build.merge('GET /x').mediaType,
    { format: '', previews: [] },
    { format: '' },
  ],
  [
    '`mediaType.previews`',
    (build) =>
      build
        .defaults({ mediaType: { previews: ['a'] } })
        .merge('/x', { mediaType: { previews: ['a', 'b-preview'] } }).mediaType,
    { format: '', previews: ['a', 'b'] },
    { format: '', previews: ['a', 'b-preview'] },
  ],
  [
    'undefined in `mediaType`',
    (build) => build.defaults(raw())('GET /x', { mediaType: { format: undefined } }).headers.accept,
    `${V3}.raw`,
    `${V3}+json`,
  ],
  [
    '`$&` in `mediaType.format`',
    (build) => build('GET /x', { mediaType: { format: '$&' } }).headers.accept,
    `${V3}.$&`,
    `${V3}.${V3}+json`,
  ],
  [
    "vendors' media types with `format`",
    (build) => build('GET /x', raw('application/vnd.acme.v2+json')).headers.accept,
    'application/vnd.acme.v2.raw',
    'application/vnd.acme.raw',
  ],
  [
    '`accept` with parameters (`;q=0.5`) and `format`',
    (build) => build('GET /x', raw(`${V3}+json; q=0.5`)).headers.accept,
    `${V3}.raw; q=0.5`,
    `${V3}+json; q=0.5`,
  ],
];
