import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { endpoint as octokitEndpoint } from '@octokit/endpoint';
import { endpoint as ourEndpoint } from '@watchword/endpoint';
import { type Builder, DIFFERENCES } from './support/octokit-differences.ts';

const OURS = ourEndpoint as unknown as Builder;
const OCTOKIT = octokitEndpoint as unknown as Builder;

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

/** Calls of every kind that the README's table does not speak of. */
const CALLS: readonly ((build: Builder) => ReturnType<Builder>)[] = [
  (build) => build('GET /'),
  (build) => build('/users/octocat'),
  (build) => build('DELETE /users/{name}', { name: 'a/b c' }),
  (build) => build({ method: 'GET', url: '/orgs/{org}/repos', org: 'o', type: 'private' }),
  (build) => build('GET /repos/:owner/:repo', { owner: 'o', repo: 'r', page: 2 }),
  (build) => build('GET /notifications', { before: undefined, all: true, since: 5 }),
  (build) => build('GET https://u.example/a?b=1', { c: 'é&=' }),
  (build) => build('GET /x{/a}{?b,c}', { a: 1, b: 'x y', c: ['1', '2'] }),
  (build) => build('GET /{+path}', { path: 'a/b%20c' }),
  (build) => build('POST /x/{a}', { a: 12n, title: 't', labels: ['a'], nested: { a: [1] } }),
  (build) => build('PATCH /x', { data: { a: 1 }, headers: { 'Content-Type': 'a/b', 'X-Y': 'z' } }),
  (build) => build('POST /x', { headers: { 'if-modified-since': undefined } }),
  (build) => build('GET /x', { request: { timeout: 100 } }),
  (build) => build.defaults({ request: { agent: { a: 1 } } })('GET /x', { request: { timeout: 100 } }),
  (build) => build('QUERY /x', { a: 1 }),
  (build) => build('PROPFIND /x', { data: 'text', headers: { 'content-type': 'a/b' } }),
  (build) => build('GET /x', { mediaType: { format: 'raw' } }),
  (build) => build('POST /graphql', { mediaType: { previews: ['a-preview', 'b'], format: 'raw' } }),
  (build) => build('POST /graphql', { headers: { accept: 'a/foo-preview' }, mediaType: { previews: ['b'] } }),
  (build) => build('GET /x', { headers: { accept: 'a/octet-stream' }, mediaType: { format: 'raw' } }),
  (build) => build.defaults({ baseUrl: 'https://b.example/v3', a: 'o', page: 1 })('GET /{a}', { page: 2 }),
  (build) => build.defaults({ headers: { a: '1', b: '1' } }).defaults({ headers: { b: '2' } })('GET /x'),
  (build) => build.parse(build.merge('GET /{a}', { a: 1, baseUrl: 'https://b.example' })),
];

describe('@octokit/endpoint', () => {
  for (const call of CALLS) {
    test(`gives the same, but for the letters of the method and the user agent: ${call}`, () => {
      const common = (build: Builder) => {
        const { method, headers, ...rest } = call(build);
        return { ...rest, method: method.toLowerCase(), headers: { ...headers, 'user-agent': '' } };
      };
      assert.deepEqual(outcome(common, OURS), outcome(common, OCTOKIT));
    });
  }

  for (const [row, call, ours, octokit] of DIFFERENCES) {
    test(`differs, as the README says: ${row}`, () => {
      assert.deepEqual(outcome(call, OURS), ours);
      assert.deepEqual(outcome(call, OCTOKIT), octokit);
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
