import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FailedRequest, OAuthError, type RequestError } from '@watchword/protocol';
import { FakeClock, seededRandom } from '@watchword/testkit';
import { pino } from 'pino';
import { RequestErrors } from '../../src/runtime/request-errors/request-errors.ts';

const failure: FailedRequest = {
  clientRecordId: 1,
  endpoint: 'token',
  error: 'invalid_grant',
  reason: 'because',
  rule: 'known_code',
  expected: undefined,
  came: undefined,
  isAuthenticated: false,
  requestId: 'request-1',
};

function recorded(append: (errors: readonly RequestError[]) => Promise<void> = async () => {}) {
  const clock = new FakeClock();
  const errors = new RequestErrors({ append }, clock, seededRandom());
  /** Reports errors, each a millisecond after the one before. */
  const fail = (count: number, overrides: Partial<FailedRequest> = {}) => {
    for (let index = 0; index < count; index += 1) {
      clock.advance(1);
      errors.requestFailed({ ...failure, ...overrides });
    }
  };
  const count = (clientRecordId?: number) => {
    const found = errors.list(clientRecordId);
    const authenticated = found.filter(({ isAuthenticated }) => isAuthenticated).length;
    return { authenticated, anonymous: found.length - authenticated };
  };
  return { clock, errors, fail, count };
}

describe('request errors in memory', () => {
  it('are the newest thousand of one client, newest first', () => {
    const { errors, fail, count } = recorded();
    fail(1, { reason: 'the oldest' });
    fail(1000);
    assert.deepEqual(count(1), { authenticated: 0, anonymous: 1000 });
    const listed = errors.list(1);
    assert.ok(listed.every(({ reason }) => reason === 'because'));
    const times = listed.map(({ time }) => time);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
  });

  it('of a client leave anonymous callers and the authenticated client half of the places each', () => {
    const { fail, count } = recorded();
    fail(1000, { isAuthenticated: true });
    fail(2000);
    assert.deepEqual(count(1), { authenticated: 500, anonymous: 500 });
    fail(2000, { isAuthenticated: true });
    assert.deepEqual(count(1), { authenticated: 500, anonymous: 500 });
  });

  it('are at most ten thousand, and a flood by anonymous callers pushes out no others', () => {
    const { fail, count } = recorded();
    fail(100, { isAuthenticated: true, clientRecordId: 1 });
    fail(3, { clientRecordId: 2 });
    for (let client = 10; client < 14; client += 1) fail(600, { clientRecordId: client });
    assert.deepEqual(count(2), { authenticated: 0, anonymous: 3 });
    for (let client = 20; client < 40; client += 1) fail(600, { clientRecordId: client });
    assert.deepEqual(count(1), { authenticated: 100, anonymous: 0 });
    assert.deepEqual(count(), { authenticated: 100, anonymous: 5000 });
    for (let client = 40; client < 60; client += 1)
      fail(600, { isAuthenticated: true, clientRecordId: client });
    assert.deepEqual(count(), { authenticated: 5000, anonymous: 5000 });
  });

  it('are not listed after a day', () => {
    const { clock, fail, count } = recorded();
    fail(1);
    clock.advance(24 * 3_600_000);
    assert.deepEqual(count(), { authenticated: 0, anonymous: 1 });
    clock.advance(1);
    assert.deepEqual(count(), { authenticated: 0, anonymous: 0 });
  });

  it('have a short reason without control characters', () => {
    const { errors, fail } = recorded();
    fail(1, { reason: `a\u001b[31m\n${'x'.repeat(10_000)}` });
    const [error] = errors.list(1);
    assert.match(error?.reason ?? '', /^a\\u001b\[31m\\u000ax{483}$/);
  });
});

describe('an error in memory', () => {
  it('is found by the id of its request until it falls out, with short texts', () => {
    const { errors, fail } = recorded();
    fail(1, { requestId: 'a', came: 'x'.repeat(1000), expected: 'y\n' });
    const found = errors.find('a');
    assert.deepEqual([found?.came?.length, found?.expected], [200, String.raw`y\u000a`]);
    fail(999, { requestId: 'b' });
    assert.ok(errors.find('a') !== undefined);
    fail(1, { requestId: 'b' });
    assert.equal(errors.find('a'), undefined);
  });

  it('that names no client is one of the last hundred of its address, and not kept beside that of a client', () => {
    const { clock, errors, fail } = recorded();
    const refuse = (requestId: string, route: string) =>
      errors.answered(
        requestId,
        route,
        new OAuthError('invalid_request', { violations: ['a: b', 'c: wws_c2VjcmV0'] }),
      );
    refuse('first', '/authorize');
    for (let index = 0; index < 1000; index += 1) refuse(`token-${index}`, '/oauth2/token');
    const { time: _, ...first } = errors.find('first') ?? assert.fail('it was pushed out by another address');
    assert.deepEqual(first, {
      requestId: 'first',
      route: '/authorize',
      error: 'invalid_request',
      reason: 'The request lacks a required parameter, repeats one or is otherwise malformed.',
      rule: 'well_formed_request',
      expected: undefined,
      came: 'a: b; c: …',
    });
    assert.deepEqual(
      [errors.find('token-899'), errors.find('token-900')?.error],
      [undefined, 'invalid_request'],
    );
    fail(1, { requestId: 'of-a-client' });
    refuse('of-a-client', '/oauth2/token');
    assert.equal(errors.find('of-a-client')?.error, 'invalid_grant');
    fail(1000, { requestId: 'later' });
    assert.equal(errors.find('of-a-client'), undefined);
    clock.advance(24 * 3_600_000 + 2);
    assert.equal(errors.find('first'), undefined);
  });
});

describe('request errors in the database', () => {
  it('are those of authenticated clients, at most a hundred in a commit; the others are counted as dropped', async () => {
    const stored: RequestError[][] = [];
    const { errors, fail } = recorded(async (batch) => void stored.push([...batch]));
    const stop = errors.start(pino({ enabled: false }));
    fail(50);
    fail(130, { isAuthenticated: true });
    await stop();
    assert.deepEqual(
      stored.map((batch) => batch.length),
      [100],
    );
    assert.ok(stored.flat().every(({ isAuthenticated }) => isAuthenticated));
    assert.equal(errors.dropped(), 30);
  });

  it('are dropped when they cannot be stored, with a line in the log', async () => {
    const lines: string[] = [];
    const { errors, fail } = recorded(() => Promise.reject(new Error('disk full')));
    const stop = errors.start(pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }));
    fail(3, { isAuthenticated: true });
    await stop();
    assert.equal(errors.dropped(), 3);
    assert.match(lines.join(''), /errors of requests could not be stored/);
    assert.equal(errors.list(1).length, 3);
  });
});
