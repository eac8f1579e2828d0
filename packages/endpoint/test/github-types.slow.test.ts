import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { SOURCE, TSC } from './support/language-service.ts';

const GITHUB = join(
  dirname(createRequire(import.meta.url).resolve('@octokit/openapi-types/package.json')),
  'types.d.ts',
);

/** Each of the comments must have an error below it, and no other line. */
const PROGRAM = `
import type { paths } from ${JSON.stringify(GITHUB)};
import { type AnswerOf, createEndpoint, type RouteOf, type TypedRequest } from ${JSON.stringify(SOURCE)};

const github = createEndpoint<paths>({ baseUrl: 'https://api.github.com' });
const issues = github('GET /repos/{owner}/{repo}/issues', { owner: 'o', repo: 'r', state: 'open', per_page: 5 });

declare function send<Answer>(request: TypedRequest<Answer>): Promise<Answer>;
export const titles = async () => (await send(issues)).map(({ title, number }) => title + number.toFixed());
export const text: AnswerOf<typeof issues>[number]['title'] = 'text';
export const none: AnswerOf<ReturnType<typeof unfollow>> = undefined;
function unfollow() {
  return github('DELETE /user/following/{username}', { username: 'octocat' });
}

github('GET /user');
github('POST /repos/{owner}/{repo}/issues', { owner: 'o', repo: 'r', title: 't', labels: ['a'], headers: { a: '1' } });
github('POST /markdown/raw', { data: '# text', headers: { 'content-type': 'text/plain' } });
github.url('GET /repos/{owner}/{repo}', { owner: 'o', repo: 'r' }).trim();
const inRepository = github.defaults({ owner: 'o', repo: 'r', request: { timeout: 5 } });
inRepository('GET /repos/{owner}/{repo}/issues', { state: 'all' });
inRepository('GET /repos/{owner}/{repo}/issues');
export const repository: AnswerOf<typeof byOptions>['full_name'] = 'octocat/hello-world';
const byOptions = github({ url: '/repos/{owner}/{repo}', owner: 'o', repo: 'r', headers: { a: '1' } });
github({ method: 'POST', url: '/user/repos', name: 'n' });
inRepository({ url: '/repos/{owner}/{repo}' });
const inTwo = github('GET /repos/{owner}/{repo}/issues', { owner: 'o', per_page: 5 }, { repo: 'r', state: 'open' });
export const more = async () => (await send(inTwo)).map(({ title }) => title.trim());
github.url('POST /repos/{owner}/{repo}/issues', {}, { owner: 'o', repo: 'r', title: 't' }).trim();
const merged = github.merge('GET /repos/{owner}/{repo}/issues', { owner: 'o', repo: 'r' });
export const parsed: AnswerOf<ReturnType<typeof parse>>[number]['title'] = merged.method;
function parse() {
  return github.parse(merged);
}
github.parse(github.merge({ url: '/user' })).url.trim();
export const anyRoute = (route: RouteOf<paths>) => route satisfies string;

// @ts-expect-error a misspelt route
github('GET /repo/{owner}/{repo}', { owner: 'o', repo: 'r' });
// @ts-expect-error a method that the path has not
github('PUT /user');
// @ts-expect-error a wrong type in the query
github('GET /repos/{owner}/{repo}/issues', { owner: 'o', repo: 'r', per_page: 'five' });
// @ts-expect-error a wrong value in the query
github('GET /repos/{owner}/{repo}/issues', { owner: 'o', repo: 'r', state: 'opened' });
// @ts-expect-error a missing field of the body
github('POST /repos/{owner}/{repo}/issues', { owner: 'o', repo: 'r' });
// @ts-expect-error a missing field of the body, with defaults
inRepository('POST /repos/{owner}/{repo}/issues', { body: 'b' });
// @ts-expect-error a missing path variable
github('GET /repos/{owner}/{repo}/issues', { owner: 'o' });
// @ts-expect-error no options
github('GET /repos/{owner}/{repo}/issues');
// @ts-expect-error a misspelt parameter
github('GET /repos/{owner}/{repo}/issues', { owner: 'o', repo: 'r', page_size: 1 });
// @ts-expect-error options alone, with a misspelt path
github({ url: '/repo/{owner}/{repo}', owner: 'o', repo: 'r' });
// @ts-expect-error options alone, with a method that the path has not
github({ method: 'PUT', url: '/user' });
// @ts-expect-error options alone, without the method of a path that has no GET
github({ url: '/markdown', text: 't' });
// @ts-expect-error options alone, without a path variable
github({ url: '/repos/{owner}/{repo}', owner: 'o' });
// @ts-expect-error options alone, with a misspelt parameter
github({ url: '/user', pages: 1 });
// @ts-expect-error a path variable in none of two arguments
github('GET /repos/{owner}/{repo}/issues', { owner: 'o' }, { state: 'open' });
// @ts-expect-error a wrong value in the third argument
github('GET /repos/{owner}/{repo}/issues', { owner: 'o' }, { repo: 'r', state: 'opened' });
// @ts-expect-error a misspelt parameter beside a third argument
github('GET /repos/{owner}/{repo}/issues', { owner: 'o', page_size: 1 }, { repo: 'r' });
// @ts-expect-error merge without a path variable
github.merge('GET /repos/{owner}/{repo}/issues', { owner: 'o' });
// @ts-expect-error merge takes no third argument
github.merge('GET /user', {}, {});
// @ts-expect-error the answer of parsed options
export const wrong: AnswerOf<ReturnType<typeof parse>>[number]['title'] = 1;
// @ts-expect-error a number is no text
export const number: AnswerOf<typeof issues>[number]['title'] = 1;
`;

test("calls of GitHub's API compile by its description, and mistakes do not", () => {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-types-'));
  try {
    const file = join(directory, 'program.ts');
    writeFileSync(file, PROGRAM);
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
    ];
    const args = [...flags, '--target', 'es2024', '--types', '', '--checkers', '1', file];
    const { stdout, status } = spawnSync(process.execPath, [TSC, ...args], { encoding: 'utf8' });
    assert.deepEqual([stdout, status], ['', 0]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
