// The reporter of a process that runs test files: node:test gives it every event.
import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Transform } from 'node:stream';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { Failure, FileResult } from './file-result.ts';

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;

let expected = '';
let finished = Promise.withResolvers<FileResult>();
let names: string[] = [];
let passed = 0;
let skipped = 0;
let reasons: string[] = [];
let failures: Failure[] = [];

/** Resolves with the result of the file at the last of its events. Its suite has the path of the file as name. */
export function resultOf(file: string): Promise<FileResult> {
  expected = file;
  finished = Promise.withResolvers();
  [names, passed, skipped, reasons, failures] = [[], 0, 0, [], []];
  return finished.promise;
}

/** Takes the events, and prints nothing. */
const reporter = new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    if (event.type === 'test:start') names[event.data.nesting] = event.data.name;
    else if (event.type === 'test:pass' || event.type === 'test:fail') end(event);
    done();
  },
});
// biome-ignore lint/style/noDefaultExport: node:test asks for it
export default reporter;

function end({ type, data }: Ended): void {
  const isFile = data.nesting === 0 && data.name === expected;
  const isTest = data.details.type !== 'suite' && !isFile;
  if (data.skip !== undefined) skip(data.skip);
  else if (type === 'test:fail' && data.todo === undefined) fail(data);
  else if (isTest) passed += 1;
  if (!isFile) return;
  if (passed + skipped + failures.length === 0) {
    failures.push({ path: [], error: 'there is no test in this file' });
  }
  const { duration_ms: milliseconds } = data.details;
  finished.resolve({ file: expected, passed, skipped, reasons, failures, milliseconds });
}

function skip(reason: string | boolean): void {
  skipped += 1;
  if (typeof reason === 'string') reasons.push(reason);
}

function fail({ nesting, name, details }: Extract<TestEvent, { type: 'test:fail' }>['data']): void {
  const { error } = details;
  // The failed tests in it are already reported.
  if ('failureType' in error && error.failureType === 'subtestsFailed') return;
  const path = nesting === 0 ? [] : [...names.slice(1, nesting), name];
  const cause = error.cause ?? error;
  failures.push({
    path,
    error: typeof cause === 'string' ? cause : `${statementOf(cause)}${inspect(cause)}`,
  });
}

/** The line of the assertion that compares with `true` or `false`: "false !== true" does not say of what. */
function statementOf(error: object): string {
  if (!(error instanceof AssertionError) || typeof error.expected !== 'boolean') return '';
  const [, url = '', line = ''] = /\((file:.*):(\d+):\d+\)/.exec(error.stack ?? '') ?? [];
  const text = url === '' ? undefined : readFileSync(new URL(url), 'utf8').split('\n')[Number(line) - 1];
  return text === undefined ? '' : `${text.trim()}\n`;
}
