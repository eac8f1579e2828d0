import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { endpoint as octokitEndpoint } from '@octokit/endpoint';
import { endpoint as ourEndpoint } from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import fc from 'fast-check';
import { commonCall } from './support/octokit-common.ts';
import { type Builder, DIFFERENCES } from './support/octokit-differences.ts';
import { SUITE } from './support/octokit-suite.ts';

const OURS = ourEndpoint as unknown as Builder;
/** A copy: a call of theirs with the URL /graphql changes the defaults. */
const octokit = (): Builder => (octokitEndpoint as unknown as Builder).defaults({ mediaType: {} });

/** What a call gives; of an error its code or message. */
function outcome(call: (build: Builder) => unknown, build: Builder): unknown {
  try {
    const given = call(build);
    // Objects of theirs have no prototype.
    return given === undefined ? given : JSON.parse(JSON.stringify(given));
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown };
    return code ?? message;
  }
}

/** Both write the method and the user agent in this way: the only two differences that are in every result. */
const dressed = <Options extends object>(options: Options): Options => {
  const { method, headers } = options as { method?: string; headers?: { readonly 'user-agent'?: string } };
  const agent = headers?.['user-agent']?.replace(
    /^(?:octokit-endpoint\.js|watchword-endpoint)\/.*/,
    'default',
  );
  return {
    ...options,
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
    ...(headers === undefined ? {} : { headers: { ...headers, 'user-agent': agent } }),
  };
};

/** The shim. */
const shim = (build: Builder): Builder =>
  Object.assign((...args: Parameters<Builder>) => dressed(build(...args)), {
    DEFAULTS: dressed(build.DEFAULTS),
    defaults: (options: object) => shim(build.defaults(options)),
    merge: (...args: Parameters<Builder['merge']>) => dressed(build.merge(...args)),
    parse: (options: object) => dressed(build.parse(options)),
  });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Paths of the fields that differ, with both values. */
function differing(ours: unknown, theirs: unknown, path = ''): readonly (readonly unknown[])[] {
  if (isDeepStrictEqual(ours, theirs)) return [];
  if (!isObject(ours) || !isObject(theirs)) return [[path, ours, theirs]];
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((name) =>
    differing(ours[name], theirs[name], path ? `${path}.${name}` : name),
  );
}

/** Calls of kinds that neither their suite nor the README's table speaks of. */
const CALLS: readonly ((build: Builder) => ReturnType<Builder>)[] = [
  (build) => build('GET /repos/:owner/:repo', { owner: 'o', repo: 'r', page: 2 }),
  (build) => build('GET /notifications', { before: undefined, all: true, since: 5 }),
  (build) => build('GET https://u.example/a?b=1', { c: 'é&=' }),
  (build) => build('GET /x{/a}{?b,c}', { a: 1, b: 'x y', c: ['1', '2'] }),
  (build) => build('GET /{+path}', { path: 'a/b%20c' }),
  (build) => build('POST /x/{a}', { a: 12n, title: 't', labels: ['a'], nested: { a: [1] } }),
  (build) => build('PATCH /x', { data: { a: 1 }, headers: { 'Content-Type': 'a/b', 'X-Y': 'z' } }),
  (build) => build.defaults({ request: { agent: { a: 1 } } })('GET /x', { request: { timeout: 100 } }),
  (build) => build('QUERY /x', { a: 1 }),
  (build) => build('PROPFIND /x', { data: 'text', headers: { 'content-type': 'a/b' } }),
  (build) => build('POST /graphql', { headers: { accept: 'a/foo-preview' }, mediaType: { previews: ['b'] } }),
  (build) => build('GET /x', { headers: { accept: 'a/octet-stream' }, mediaType: { format: 'raw' } }),
  (build) => build.defaults({ baseUrl: 'https://b.example/v3', a: 'o', page: 1 })('GET /{a}', { page: 2 }),
  (build) => build.defaults({ headers: { a: '1', b: '1' } }).defaults({ headers: { b: '2' } })('GET /x'),
];

describe('@octokit/endpoint', () => {
  for (const call of CALLS) {
    test(`gives the same, but for the letters of the method and the user agent: ${call}`, () => {
      assert.deepEqual(outcome(call, shim(OURS)), outcome(call, shim(octokit())));
    });
  }

  for (const [fact, call, ...differences] of SUITE) {
    const fields = differences.map(([path]) => path || 'the result').join(', ');
    const but = fields && `, but for ${fields}, as the README says`;
    test(`gives the same as in its own suite${but}: ${fact}`, () => {
      const [ours, theirs] = [OURS, octokit()].map((build) => outcome(call, shim(build)));
      const found =
        typeof ours === 'string' && /^[A-Z_]+$/.test(ours) ? [['error', ours, undefined]] : undefined;
      assert.deepEqual(
        found ?? differing(ours, theirs),
        differences.map(([path, here, there]) => [path, here, there]),
      );
      const rows = new Set(DIFFERENCES.map(([row]) => row));
      for (const [, , , row] of differences) assert.ok(rows.has(row), row);
    });
  }

  test('gives the same for random calls of which the README has no row', () => {
    fc.assert(
      fc.property(commonCall, (call) => {
        assert.deepEqual(outcome(call, shim(OURS)), outcome(call, shim(octokit())));
      }),
      { numRuns: rounds(120, 30_000) },
    );
  });

  for (const [row, call, ours, theirs] of DIFFERENCES) {
    test(`differs, as the README says: ${row}`, () => {
      assert.deepEqual(outcome(call, OURS), ours);
      assert.deepEqual(outcome(call, octokit()), theirs);
    });
  }

  test('differs in no row of the README that no call here shows', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, table = ''] = /^## Differences from @octokit\/endpoint$(.*?)^Measured/ms.exec(readme) ?? [];
    assert.deepEqual(
      [...table.matchAll(/^\| ([^ -].*?) +\|/gm)].map(([, row]) => row),
      DIFFERENCES.map(([row]) => row),
    );
  });
});
