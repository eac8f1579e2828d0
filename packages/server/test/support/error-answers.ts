import assert from 'node:assert/strict';
import type { Answer } from '@watchword/server-testkit/servers/server';

/** Asserts an error answer as in the contract, with the headers and the description that every error has. */
export function assertError(answer: Answer, status: number, error: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.json.error, error);
  assert.match(answer.json.error_description, /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  if (status === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm="[^"]+"/);
  if (status === 429 || status === 503) assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}
