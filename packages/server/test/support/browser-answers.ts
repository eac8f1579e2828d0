import assert from 'node:assert/strict';
import { redirectUri } from '@watchword/server-testkit/clients/application';
import { answeredBy } from '@watchword/testkit/follow-flow';
import type { Page } from '@watchword/testkit/user-agent';

/** A page for the user without a redirect to the client (RFC 6749 §4.1.2.1). */
export function assertErrorPage(page: Page, status = 400): void {
  assert.equal(page.status, status, page.text);
  assert.equal(page.headers.get('location'), null);
  assertPageHeaders(page);
}

/** The headers that protect every page: no frame, no opener, no foreign script, no copy in a cache, no referrer. */
export function assertPageHeaders(page: Page): void {
  const header = (name: string) => page.headers.get(name) ?? '';
  assert.match(header('content-type'), /^text\/html; ?charset=utf-8$/i);
  assert.match(header('content-security-policy'), /frame-ancestors 'none'/);
  assert.match(header('content-security-policy'), /script-src 'self'(?:;|$)/);
  assert.doesNotMatch(header('content-security-policy'), /unsafe-inline|unsafe-eval/);
  assert.equal(header('x-frame-options'), 'DENY');
  assert.equal(header('cross-origin-opener-policy'), 'same-origin');
  assert.equal(header('x-content-type-options'), 'nosniff');
  assert.equal(header('referrer-policy'), 'no-referrer');
  assert.equal(header('cache-control'), 'no-store');
}

/** A redirect to the client with the error, its state and the issuer (RFC 6749 §4.1.2.1, RFC 9207 §2). */
export function assertRedirectedError(
  page: Page,
  error: string,
  expected: { issuer: string; state?: string | null; target?: string; separator?: '?' | '#' },
): void {
  const { issuer, state = 'state-1', target = redirectUri, separator = '?' } = expected;
  assertRedirect(page, target, separator);
  const parameters = answeredBy(page.location ?? '');
  assert.equal(parameters.get('error'), error, page.location ?? '');
  assert.match(parameters.get('error_description') ?? '', /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
  assert.equal(parameters.get('state'), state);
  assert.deepEqual(parameters.getAll('iss'), [issuer]);
  for (const name of ['code', 'access_token']) assert.ok(!parameters.has(name));
}

/** 303 to the client, with headers against caches and referrers of its address (RFC 9700 §4.12, §4.2.4). */
export function assertRedirect(page: Page, target = redirectUri, separator: '?' | '#' = '?'): void {
  assert.equal(page.status, 303, page.text);
  assert.ok(page.location?.startsWith(`${target}${separator}`), page.location ?? page.text);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
}
