import type { Builder } from './octokit-differences.ts';

/** A field in which results differ: its path, what it is here and there, and the row of the README that has the reason. */
type Field = readonly [path: string, ours: unknown, octokit: unknown, row: string];

/** A fact that the test suite of `@octokit/endpoint` holds, with other values. */
type Fact = readonly [fact: string, call: (build: Builder) => unknown, ...differences: readonly Field[]];

const TOKEN = { headers: { authorization: 'token 1' } };
const ENTERPRISE = { baseUrl: 'https://git.example/api/v3', headers: { 'user-agent': 'a/1' }, org: 'o' };
const MERGED = { headers: { accept: 'a/b', 'user-agent': 'c' }, mediaType: { format: '' } };
const PREVIEWS_OF_DEFAULTS: Field = [
  'mediaType.previews',
  [],
  undefined,
  '`mediaType` of `DEFAULTS` and `merge`',
];
const graphql = (mediaType: object, headers = {}) => ({
  ...{ method: 'POST', url: '/graphql' },
  ...{ mediaType, headers },
});
const previewsOf = (build: Builder, ...levels: readonly string[]) =>
  levels.reduce((one, name) => one.defaults({ url: '/graphql', mediaType: { previews: [name] } }), build)
    .DEFAULTS;
const parseHostile = (build: Builder, url: string, accept = 'application/vnd.github.v3+json') =>
  build.parse({
    ...{ method: 'POST', url, baseUrl: 'https://a.example', headers: { accept, 'user-agent': 'b' } },
    mediaType: { previews: ['x-preview'], format: 'raw' },
  });
class Instance {
  readonly a = 1;
}

/** Every fact of their suite but one: that some names are functions. */
export const SUITE: readonly Fact[] = [
  [
    'defaults fill the URL, the query and the headers',
    (build) => build.defaults({ ...ENTERPRISE, page: 2 })('GET /orgs/{org}'),
  ],
  [
    'defaults of defaults add up',
    (build) => build.defaults(ENTERPRISE).defaults(TOKEN)('GET /orgs/{org}/repos'),
  ],
  [
    'defaults can be read',
    (build) => build.defaults({ ...ENTERPRISE, mediaType: { previews: ['a'] } }).DEFAULTS,
  ],
  [
    'defaults are merged and not yet parsed',
    (build) => {
      const one = build.defaults({ url: '/{a}', a: 1, mediaType: { previews: ['a'] } });
      return [one.DEFAULTS, one.defaults({ a: 2 }).DEFAULTS];
    },
  ],
  [
    'defaults have a format',
    (build) => build.defaults({ mediaType: { format: 'raw' } }).DEFAULTS,
    PREVIEWS_OF_DEFAULTS,
  ],
  ['previews of defaults add up', (build) => previewsOf(build, 'a', 'b')],
  ['previews of defaults lose their suffix', (build) => previewsOf(build, 'a-preview', 'b-preview')],
  [
    'options alone',
    (build) => build({ method: 'GET', url: '/users/{name}/repos', name: 'n', type: 'owner' }),
  ],
  ['a route and options', (build) => build('GET /users/{name}/repos', { name: 'n', type: 'owner' })],
  ['a route alone', (build) => build('GET /')],
  [
    'names of headers in upper case',
    (build) => build('GET /', { headers: { 'User-Agent': 'a/1', 'X-A': 'b' } }),
  ],
  ['a full URL', (build) => build('GET https://files.example/o/r-123/legacy.tar.gz/main')],
  ['values are encoded', (build) => build('GET /x/{path}', { path: 'a/b c.txt' })],
  [
    'a JSON body',
    (build) =>
      build('POST /repos/{owner}/issues', {
        ...{ owner: 'o', headers: { accept: 'text/html;charset=utf-8' }, title: 't' },
        ...{ body: 'text', assignees: ['a', 'b'], milestone: 2, labels: [] },
      }),
  ],
  [
    'PUT without a body',
    (build) => build('PUT /user/starred/{repo}', { ...TOKEN, repo: 'r' }),
    ['body', undefined, '', 'PATCH and PUT without a body'],
  ],
  ['DELETE without a body', (build) => build('DELETE /user/following/{name}', { ...TOKEN, name: 'n' })],
  ['POST without a body', (build) => build('POST /widgets', TOKEN)],
  [
    'PATCH without a body',
    (build) => build('PATCH /widgets/{id}', { ...TOKEN, id: 'w' }),
    ['body', undefined, '', 'PATCH and PUT without a body'],
  ],
  [
    'an expression of the query, and data',
    (build) =>
      build('POST https://uploads.example/releases/2/assets{?name,label}', {
        ...{ name: 'a.tgz', label: 'a b', data: 'bytes' },
        headers: { 'content-type': 'text/plain', 'content-length': 5 },
      }),
    ['headers.content-length', '5', 5, 'header value that is a number (`content-length`)'],
  ],
  ['a literal query, and parameters', (build) => build('GET /repos?key=1a', { type: 'all' })],
  ['data', (build) => build('POST /raw', { data: '*a* #1!', headers: { 'content-type': 'text/plain' } })],
  ['characters beyond ASCII in `q`', (build) => build('GET /search', { q: 'location:Zürich' })],
  ['`request` goes along', (build) => build('GET /', { request: { timeout: 50 } })],
  [
    '`request` goes along as it is',
    (build) => {
      const agent = new Instance();
      return (build('GET /', { request: { agent } }).request as { agent: unknown }).agent === agent;
    },
  ],
  ['a URL means GET', (build) => build('/')],
  [
    'a slash at the end of a full URL',
    (build) => build('https://git.example/api/v3/').url,
    ['', 'https://git.example/api/v3/', 'https://git.example/api/v3', 'trailing slash of a URL'],
  ],
  ['GraphQL without previews', (build) => build({ method: 'POST', url: '/graphql' })],
  [
    'a format',
    (build) => build({ url: '/repos/{owner}/issues/{n}', mediaType: { format: 'raw' }, owner: 'o', n: 7 }),
  ],
  ['a preview', (build) => build(graphql({ previews: ['one'] }))],
  [
    'previews with their suffix',
    (build) => build(graphql({ previews: ['one-two-preview', 'three-preview'] })),
  ],
  ['a format and a preview', (build) => build(graphql({ format: 'raw', previews: ['one'] }))],
  [
    'a format, a preview and those of `accept`',
    (build) =>
      build(graphql({ format: 'raw', previews: ['one'] }, { accept: 'a/two-preview,a/three-preview' })),
  ],
  [
    'previews beside an octet stream',
    (build) => build(graphql({ previews: ['one'] }, { accept: 'application/octet-stream' })),
  ],
  ['an undefined parameter', (build) => build({ url: '/notifications', before: undefined })],
  [
    'a placeholder without a value',
    (build) => build('GET /repos/{owner}/branches/{branch}', { owner: 'o' }),
    ['error', 'MISSING_VARIABLE', undefined, 'missing path variable'],
  ],
  [
    'a path expression without a value',
    (build) => build('GET /repos/{owner}/branches{/branch}', { owner: 'o' }),
  ],
  ['a bigint in the path', (build) => build('POST /deliveries/{id}/attempts', { id: 9007199254740993n })],
  ['a slash at the end of a value', (build) => build('GET /refs/{ref}', { ref: 'heads/' })],
  [
    'a slash at the end of a value, and a query',
    (build) => build('GET /contents/{path}', { path: 'folder/', ref: 'a/b' }),
  ],
  [
    'an undefined header',
    (build) => build('/notifications', { headers: { 'if-modified-since': undefined } }),
  ],
  [
    '`merge` gives defaults and options',
    (build) => build.defaults(ENTERPRISE).merge('GET /orgs/{org}', { ...TOKEN, type: 'private' }),
    PREVIEWS_OF_DEFAULTS,
  ],
  [
    '`merge` gives defaults of defaults',
    (build) => build.defaults(ENTERPRISE).defaults(TOKEN).merge('GET /orgs/{org}'),
    PREVIEWS_OF_DEFAULTS,
  ],
  ['`merge` without arguments', (build) => build.merge(), PREVIEWS_OF_DEFAULTS],
  [
    '`merge` changes no argument',
    (build) => {
      const options = { owner: 'o', headers: { 'Content-Type': 'a/b' } };
      build.merge(options);
      return options;
    },
  ],
  [
    '`parse` of `merge` is what the call gives',
    (build) => {
      const options = { method: 'GET', url: '/orgs/{org}/repos', org: 'o', type: 'private' };
      return [build(options), build.parse(build.merge(options))];
    },
  ],
  [
    '`parse` without a URL',
    (build) => build.parse({ ...MERGED, method: 'GET', baseUrl: 'https://a.example' }),
    ['error', 'MISSING_URL', undefined, 'missing URL'],
  ],
  [
    '`parse` changes no argument',
    (build) => {
      const options = { ...MERGED, method: 'GET', url: '/', baseUrl: 'https://a.example/v3' };
      build.parse(options);
      return options;
    },
  ],
  [
    'a long text as `accept`',
    (build) => parseHostile(build, '/graphql', `${'A'.repeat(100_000)}-`),
    [
      'headers.accept',
      'application/vnd.github.x-preview.raw',
      'application/vnd.github.x-preview-preview.raw',
      '`mediaType.previews`',
    ],
  ],
  [
    'a URL of braces',
    (build) => parseHostile(build, `${'{'.repeat(100_000)}@`),
    ['error', 'INVALID_TEMPLATE', undefined, 'malformed template'],
  ],
  [
    'a placeholder of NUL',
    (build) => parseHostile(build, `{00${'\0'.repeat(100_000)}a!a}`),
    ['error', 'INVALID_TEMPLATE', undefined, 'malformed template'],
  ],
  ...Object.entries({
    'not a number': Number.NaN,
    'a list': [1, 2, 3],
    'an object': { x: 0, y: 0 },
    'an object without a prototype': Object.assign(Object.create(null), { x: 0 }),
    'an instance of a class': new Instance(),
    'what inherits from an instance': Object.assign(Object.create(new Instance()), { b: 1 }),
  }).map(([what, a]): Fact => [`${what} in the body`, (build) => build('POST /x', { a })]),
];
