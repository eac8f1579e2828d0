import { endpoint as octokit } from '@octokit/endpoint';
import { endpoint } from '@watchword/endpoint';

const GET = 'GET /repos/{owner}/{repo}/issues';
const POST = 'POST /repos/{owner}/{repo}/issues';
const REPOSITORY = { owner: 'octocat', repo: 'hello-world' };
const OUTER = { headers: { authorization: 'token 1' }, owner: 'octocat' };
const INNER = { headers: { 'x-trace': '1' }, repo: 'hello-world', per_page: 50 };

/** What both packages offer. */
interface Endpoint {
  (route: string, options?: object): object;
  defaults(options: object): Endpoint;
  merge(route: string, options: object): object;
  parse(options: object): object;
}

type Calls = Readonly<Record<string, () => object>>;

function callsOf(build: Endpoint): Calls {
  const withDefaults = build.defaults(OUTER).defaults(INNER);
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
    'merge, then parse': () => build.parse(build.merge(GET, { ...REPOSITORY, state: 'open' })),
  };
  return calls;
}

/** The calls in which this package is measured against `@octokit/endpoint`. */
export const ours: Calls = callsOf(endpoint as unknown as Endpoint);
export const theirs: Calls = callsOf(octokit as unknown as Endpoint);
