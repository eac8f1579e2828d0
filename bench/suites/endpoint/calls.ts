import { endpoint as octokit } from '@octokit/endpoint';
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { parseTemplate } from 'url-template';
import { builtEndpoint } from './built.ts';

const GET = 'GET /repos/{owner}/{repo}/issues';
const POST = 'POST /repos/{owner}/{repo}/issues';
const UPLOAD = 'POST https://uploads.github.com/repos/{owner}/{repo}/releases/{id}/assets{?name,label}';
const REPOSITORY = { owner: 'octocat', repo: 'hello-world' };
const OUTER = { headers: { authorization: 'token 1' }, owner: 'octocat' };
const INNER = { headers: { 'x-trace': '1' }, repo: 'hello-world', per_page: 50 };
const TWELVE = {
  ...{ milestone: 3, state: 'open', assignee: 'hubot', type: 'bug', creator: 'octocat', mentioned: 'hubot' },
  ...{ labels: 'bug', sort: 'created', direction: 'asc', since: '2026-01-01', per_page: 100, page: 2 },
};
const ROUTES = Array.from({ length: 10_000 }, (_, index) => `GET /r${index}/{owner}/{repo}/issues`);

/** The same parameters, in objects of 50 hidden classes. */
const SHAPES = Array.from({ length: 50 }, (_, index) => ({
  [`p${index}`]: index,
  ...REPOSITORY,
  state: 'open',
}));
const TEXT = 'x'.repeat(50_000);
const TEXTS = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(47, 'x'));
const OBJECTS = Array.from({ length: 400 }, (_, index) => ({
  path: `src/file-${index}.ts`.padEnd(40, 'x'),
  mode: '100644',
  type: 'blob',
  sha: `${index}`.padStart(40, '0'),
}));

/** What both packages offer. */
interface Endpoint {
  (route: string, options?: object): object;
  defaults(options: object): Endpoint;
  merge(route: string, options: object): object;
  parse(options: object): object;
}

type Calls = Readonly<Record<string, () => object>>;

export function callsOf(build: Endpoint): Calls {
  const withDefaults = build.defaults(OUTER).defaults(INNER);
  const three = withDefaults.defaults({ state: 'open', sort: 'updated' });
  const kept = build.merge(GET, { ...REPOSITORY, state: 'open' });
  let turn = 0;
  const calls = {
    'route only': () => build('GET /user'),
    'path and query': () => build(GET, { ...REPOSITORY, state: 'open', labels: 'bug', per_page: 50 }),
    'JSON body': () => build(POST, { ...REPOSITORY, title: 'It broke', labels: ['bug', 'help wanted'] }),
    headers: () => build(GET, { ...REPOSITORY, headers: { authorization: 'token 2', 'X-Trace': 'abc' } }),
    baseUrl: () => build(GET, { ...REPOSITORY, baseUrl: 'https://git.example.com/api/v3' }),
    'mediaType.format and previews': () =>
      build(GET, { ...REPOSITORY, mediaType: { format: 'raw', previews: ['luke-cage'] } }),
    'two levels of defaults()': () => withDefaults(GET, { state: 'open' }),
    'two levels of defaults(), and headers': () =>
      withDefaults(GET, { state: 'open', headers: { 'x-request': '7' } }),
    'two levels of defaults(), and {?a,b}': () =>
      withDefaults('GET /repos/{owner}/{repo}/issues{?state,page}', { state: 'open', page: 2 }),
    'three levels of defaults(), and {?a,b}': () =>
      three('GET /repos/{owner}/{repo}/issues{?state,per_page}', { page: 2 }),
    '{?a,b}': () => build('GET /repos/octocat/issues{?state,page}', { state: 'open', page: 2 }),
    'full URL with {?name,label}': () =>
      build(UPLOAD, { ...REPOSITORY, id: 1, name: 'a.zip', label: 'the zip', data: 'PK' }),
    'lists in the query': () =>
      build(GET, { ...REPOSITORY, labels: ['bug', 'help wanted'], assignees: ['octocat', 'hubot'] }),
    '{/path*}': () =>
      build('GET /repos/{owner}/{repo}/contents{/path*}', {
        ...REPOSITORY,
        path: ['docs', 'guides', 'a b.md'],
      }),
    'twelve parameters': () => build('GET /issues', TWELVE),
    'options of 50 hidden classes': () => build(GET, SHAPES[turn++ % 50]),
    'parse of a kept merge': () => build.parse(kept),
    merge: () => build.merge(GET, { ...REPOSITORY, state: 'open' }),
    'merge, then parse': () => build.parse(build.merge(GET, { ...REPOSITORY, state: 'open' })),
    'defaults() itself': () => build.defaults(OUTER),
    '10,000 routes in turn': () => build(ROUTES[turn++ % 10_000] ?? '', REPOSITORY),
    'ids glued into the route': () => build(`GET /repos/octocat/hello-world/issues/${turn++}`),
    'JSON body of 50 kB, a text': () => build(POST, { ...REPOSITORY, content: TEXT }),
    'JSON body of 50 kB, 1,000 texts': () => build(POST, { ...REPOSITORY, names: TEXTS }),
    'JSON body of 50 kB, 400 objects': () => build(POST, { ...REPOSITORY, tree: OBJECTS }),
  };
  return calls;
}

const endpoint = await builtEndpoint();

/** The calls in which this package is measured against `@octokit/endpoint`. */
export const ours: Calls = callsOf(endpoint as unknown as Endpoint);
export const theirs: Calls = callsOf(octokit as unknown as Endpoint);

const QUERY = { state: 'open', per_page: 50 };
const SERIALIZERS = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer };
const TEMPLATE = parseTemplate('https://api.github.com/repos/{owner}/{repo}/issues{?state,per_page}');

/** The same URL by each package. */
export const urls: Readonly<Record<string, () => string>> = {
  '@watchword/endpoint': () => endpoint.url(GET, { ...REPOSITORY, ...QUERY }),
  '@octokit/endpoint': () => octokit(GET, { ...REPOSITORY, ...QUERY }).url,
  'openapi-fetch': () =>
    createFinalURL('/repos/{owner}/{repo}/issues', {
      ...SERIALIZERS,
      baseUrl: 'https://api.github.com',
      params: { path: REPOSITORY, query: QUERY },
    }),
  'url-template': () => TEMPLATE.expand({ ...REPOSITORY, ...QUERY }),
};
