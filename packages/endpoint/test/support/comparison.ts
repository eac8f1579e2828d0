import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { endpoint as octokit } from '@octokit/endpoint';
import { endpoint, expandTemplate, match } from '@watchword/endpoint';
import * as openapiFetch from 'openapi-fetch';
import { build } from 'rolldown';
import { parseTemplate } from 'url-template';
import { roomy, TSC } from './language-service.ts';
import { SECTIONS, VARIABLES } from './rfc6570-examples.ts';

const { createFinalURL, createQuerySerializer, defaultPathSerializer } = openapiFetch;

/** What a case gives: text for the table, or undefined where the package has nothing of this kind. */
type Case = (() => unknown) | undefined;

/** In the order of the columns: this package, `@octokit/endpoint`, openapi-fetch, url-template. */
type Row = readonly [what: string, ours: Case, octokit: Case, openapiFetch: Case, urlTemplate: Case];

type Values = Record<string, unknown>;

const PACKAGES = ['@watchword/endpoint', '@octokit/endpoint', 'openapi-fetch', 'url-template'];
const [, ...others] = PACKAGES;
const BASE = 'https://api.github.com';

const openapiUrl = (path: string, values: Values, query: Values = {}): string =>
  createFinalURL(path, {
    baseUrl: BASE,
    params: { path: values, query },
    pathSerializer: defaultPathSerializer,
    querySerializer: createQuerySerializer(),
  });

/** The request that openapi-fetch hands to `fetch`. */
async function openapiRequest(method: 'GET' | 'POST', options: object): Promise<Request> {
  let sent: Request | undefined;
  const fetch = async (request: Request) => {
    sent = request;
    return new Response('{}');
  };
  const client = openapiFetch.default<Record<string, never>>({ baseUrl: BASE, fetch });
  await (client[method] as (path: string, options: object) => Promise<unknown>)('/x', options);
  if (sent === undefined) throw new Error('expected a request');
  return sent;
}

const withoutBase = (url: string): string => `\`${url.replace(BASE, '')}\``;
const json = (value: unknown): string => `\`${JSON.stringify(value)}\``;

/** Of the RFC's examples: how many a package expands to what the RFC says. */
function examples(expand: (template: string, values: Values) => string): string {
  const all = Object.values(SECTIONS).flatMap((section) => Object.entries(section));
  const right = all.filter(([template, expected]) => {
    try {
      return expand(template, VARIABLES) === expected;
    } catch {
      return false;
    }
  });
  return `${right.length} of ${all.length}`;
}

/** What `{+a}` would need is more than a path in those that know whole URLs only. */
const afterSlash =
  (urlOf: (template: string, values: Values) => string) => (template: string, values: Values) =>
    urlOf(`/${template}`, values).slice(`${BASE}/`.length);

/** Only the variables of the template: it sends the others. */
const used = (template: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => new RegExp(`\\b${name}\\b`).test(template)));

const NESTED = { filter: { state: { not: 'open' } } };
const LIST = { labels: ['a', 'b c'] };

const BEHAVIOUR: readonly Row[] = [
  [
    'examples of RFC 6570 expanded as it says',
    () => examples(expandTemplate),
    () => examples(afterSlash((url, values) => octokit({ method: 'GET', url, ...used(url, values) }).url)),
    () => examples(afterSlash((path, values) => openapiUrl(path, values))),
    () => examples((template, values) => parseTemplate(template).expand(values as never)),
  ],
  [
    '`/repos/{owner}/x` without an owner',
    () => withoutBase(endpoint.url('GET /repos/{owner}/x'.slice())),
    () => withoutBase(octokit('GET /repos/{owner}/x').url),
    () => withoutBase(openapiUrl('/repos/{owner}/x', {})),
    () => withoutBase(parseTemplate('/repos/{owner}/x').expand({})),
  ],
  [
    '`/repos/{owner}/x` with the owner `..`',
    () => withoutBase(endpoint.url('GET /repos/{owner}/x', { owner: '..' })),
    () => withoutBase(octokit('GET /repos/{owner}/x', { owner: '..' }).url),
    () => withoutBase(openapiUrl('/repos/{owner}/x', { owner: '..' })),
    () => withoutBase(parseTemplate('/repos/{owner}/x').expand({ owner: '..' })),
  ],
  [
    'a list in the query, by default',
    () => withoutBase(endpoint.url('GET /x', LIST)),
    () => withoutBase(octokit('GET /x', LIST).url),
    () => withoutBase(openapiUrl('/x', {}, LIST)),
    () => withoutBase(parseTemplate('/x{?labels}').expand(LIST)),
  ],
  [
    'an object in an object of the query, `deepObject`',
    () => withoutBase(endpoint.url('GET /x', { ...NESTED, style: { objects: 'deepObject' } })),
    undefined,
    () => withoutBase(openapiUrl('/x', {}, NESTED)),
    undefined,
  ],
  [
    'a `Map` in a JSON body',
    () => json(endpoint('POST /x', { a: new Map([['b', 1]]) }).body),
    () => json(octokit('POST /x', { a: new Map([['b', 1]]) }).body),
    async () => json(await (await openapiRequest('POST', { body: { a: new Map([['b', 1]]) } })).json()),
    undefined,
  ],
  [
    'a promise that was meant to be awaited, as a value',
    () => withoutBase(endpoint.url('GET /x', { a: Promise.resolve(1) })),
    () => withoutBase(octokit('GET /x', { a: Promise.resolve(1) }).url),
    () => withoutBase(openapiUrl('/x', {}, { a: Promise.resolve(1) })),
    () => withoutBase(parseTemplate('/x{?a}').expand({ a: Promise.resolve(1) } as never)),
  ],
  [
    'a header with a line break',
    () => json(endpoint('GET /x', { headers: { a: 'b\nc: d' } }).headers.a),
    () => json(octokit('GET /x', { headers: { a: 'b\nc: d' } }).headers.a),
    async () => json((await openapiRequest('GET', { headers: { a: 'b\nc: d' } })).headers.get('a')),
    undefined,
  ],
  [
    'a URL back to its variables',
    () => json(match('/x/{a}{?b}', '/x/1?b=2')),
    undefined,
    undefined,
    undefined,
  ],
];

/** A program for each package that must not compile. `NAME` is its own. */
const MISTAKES: readonly (readonly [what: string, ...programs: (string | undefined)[]])[] = [
  [
    'a missing path variable',
    `import { endpoint } from 'NAME';\nendpoint('GET /x/{a}', {});`,
    `import { endpoint } from 'NAME';\nendpoint('GET /x/{a}', {});`,
    `import create from 'NAME';\ncreate<paths>().GET('/x/{a}', { params: { path: {} } });`,
    `import { parseTemplate } from 'NAME';\nparseTemplate('/x/{a}').expand({});`,
  ],
  [
    'a misspelt route of an OpenAPI description',
    `import { createEndpoint } from 'NAME';\ncreateEndpoint<paths>({ baseUrl: 'https://a.example' })('GET /y/{a}', { a: 'b' });`,
    undefined,
    `import create from 'NAME';\ncreate<paths>().GET('/y/{a}', { params: { path: { a: 'b' } } });`,
    undefined,
  ],
];

const PATHS = `interface paths {
  '/x/{a}': {
    get: { parameters: { path: { a: string } }; responses: { 200: { content: { 'application/json': string } } } };
  };
}
`;

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

const manifestOf = (name: string): { readonly version: string; readonly dependencies?: object } =>
  JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8'));

/** Which of the programs the compiler refuses. */
function compiledRows(): readonly (readonly string[])[] {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-comparison-'));
  try {
    symlinkSync(MODULES, join(directory, 'node_modules'), 'junction');
    const files = MISTAKES.flatMap(([, ...programs], row) =>
      programs.flatMap((program, column) => {
        if (program === undefined) return [];
        const file = `${row}-${column}.mts`;
        writeFileSync(join(directory, file), `${program.replace('NAME', PACKAGES[column] ?? '')}\n${PATHS}`);
        return [file];
      }),
    );
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--ignoreConfig',
      '--allowImportingTsExtensions',
    ];
    const source = ['--customConditions', 'source', '--singleThreaded'];
    const args = [TSC, ...flags, ...source, '--module', 'nodenext', '--target', 'es2024', ...files];
    const { stdout } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8', env: roomy });
    return MISTAKES.map(([what, ...programs], row) => [
      what,
      ...programs.map((program, column) => {
        if (program === undefined) return '—';
        return stdout.includes(`${row}-${column}.mts(`) ? 'does not compile' : 'compiles';
      }),
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** In half kilobytes, so that the table says the same after a small change. */
async function sizeOf(code: string): Promise<string> {
  const entry = fileURLToPath(new URL('comparison-entry.ts', import.meta.url));
  const plugin = {
    name: 'entry',
    resolveId: (id: string) => (id === entry ? id : undefined),
    load: (id: string) => (id === entry ? code : undefined),
  };
  const { output } = await build({
    input: entry,
    plugins: [plugin],
    platform: 'browser',
    resolve: { conditionNames: ['source', 'import', 'browser', 'default'] },
    output: { format: 'esm', minify: true },
    write: false,
  });
  return `${(Math.ceil(gzipSync(output[0].code, { level: 9 }).length / 500) / 2).toFixed(1)} kB`;
}

async function sizes(): Promise<readonly string[]> {
  return [
    'at most, minified and gzipped',
    await sizeOf(`export { endpoint } from '@watchword/endpoint';`),
    await sizeOf(`export { endpoint } from '@octokit/endpoint';`),
    await sizeOf(`export { default } from 'openapi-fetch';`),
    await sizeOf(`export { parseTemplate } from 'url-template';`),
  ];
}

/** A result, or what its error says; of an `EndpointError` its code. */
async function cell(run: Case): Promise<string> {
  if (run === undefined) return '—';
  try {
    return String(await run());
  } catch (error) {
    const { code, name } = error as { readonly code?: string; readonly name: string };
    return `\`${code ?? name}\``;
  }
}

interface Measured {
  readonly date: string;
  readonly urls: Readonly<Record<string, number>>;
}

/** The table that compares this package with others: every cell is what runs, or what the kept benchmark measured. */
export async function comparisonTable({ date, urls }: Measured): Promise<string> {
  const rows = [
    ...(await Promise.all(
      BEHAVIOUR.map(async ([what, ...cases]) => [what, ...(await Promise.all(cases.map(cell)))]),
    )),
    ...compiledRows(),
    await sizes(),
    [
      'dependencies',
      '0',
      ...others.map((name) => `${Object.keys(manifestOf(name).dependencies ?? {}).length}`),
    ],
    [`time of a URL, measured on ${date}`, ...PACKAGES.map((name) => `${urls[name]?.toFixed(0)} ns`)],
  ];
  return table(
    ['', 'this package', ...others.map((name) => `\`${name}\` ${manifestOf(name).version}`)],
    rows,
  );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
