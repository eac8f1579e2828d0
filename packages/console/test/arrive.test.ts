import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { baseUrlOf } from '../src/base-url.ts';
import { arrive } from '../src/session/arrive.ts';
import { authorizationUrl, newState } from '../src/session/authorization.ts';
import { readFragment } from '../src/session/fragment.ts';
import { PendingRequests } from '../src/session/pending.ts';
import { memoryStorage } from './support/memory-storage.ts';

const issuer = 'https://id.example/auth';
const now = 1_000_000;

/** Opens the page after a request with the state `known`. */
function opened(hash: string, mode: 'page' | 'popup' = 'page') {
  const pending = new PendingRequests(memoryStorage(), () => now);
  pending.add('known', { mode, route: '/clients?q=x' });
  return { pending, arrival: arrive(readFragment(hash), { pending, issuer, now }) };
}

const answer = (parameters: Record<string, string>) =>
  `#${new URLSearchParams({ iss: issuer, token_type: 'bearer', access_token: 'wwa_1', expires_in: '60', state: 'known', ...parameters })}`;

describe('opening the page', () => {
  it('asks for a token when there is none, and remembers the requested page', () => {
    assert.deepEqual(opened('').arrival, { type: 'ask', route: '/' });
    assert.deepEqual(opened('#/tokens?q=a').arrival, { type: 'ask', route: '/tokens?q=a' });
  });

  it('accepts the token of an answer that this window requested, and continues on the requested page', () => {
    assert.deepEqual(opened(answer({ scope: 'read write' })).arrival, {
      type: 'granted',
      route: '/clients?q=x',
      grant: { token: 'wwa_1', scopes: ['read', 'write'], expires: now + 60_000 },
    });
    const { arrival } = opened(answer({ expires_in: '0' }));
    assert.equal(arrival.type === 'granted' && arrival.grant.expires, 0);
  });

  it('passes the answer on when it is for the window that opened this one', () => {
    const { arrival } = opened(answer({}), 'popup');
    assert.equal(arrival.type, 'deliver');
    assert.equal(arrival.type === 'deliver' && arrival.state, 'known');
  });

  it('uses a state once', () => {
    const { pending } = opened(answer({}));
    assert.deepEqual(arrive(readFragment(answer({})), { pending, issuer, now }), { type: 'ignored' });
  });

  it('ignores an answer to a request of which the record is damaged, and makes others', () => {
    for (const damaged of ['', '{', 'null', '1', '{"since":1}', `{"route":1,"mode":"page","since":${now}}`]) {
      const storage = memoryStorage();
      storage.setItem('watchword.pending.known', damaged);
      const pending = new PendingRequests(storage, () => now);
      pending.add('other', { mode: 'page', route: '/' });
      assert.deepEqual(arrive(readFragment(answer({})), { pending, issuer, now }), { type: 'ignored' });
      assert.equal(pending.take('other')?.route, '/');
    }
  });

  it('shows the error description of the server', () => {
    const hash = `#${new URLSearchParams({ iss: issuer, error: 'access_denied', error_description: 'No.', state: 'known' })}`;
    assert.deepEqual(opened(hash).arrival, {
      type: 'failed',
      route: '/clients?q=x',
      error: { error: 'access_denied', description: 'No.' },
    });
  });

  for (const [what, changed] of [
    ['has another state', { state: 'other' }],
    ['has an empty state', { state: '' }],
    ['is of another issuer', { iss: 'https://evil.example' }],
    ['is an error that nobody asked for', { error: 'access_denied', state: 'other' }],
    ['has no token', { access_token: '' }],
    ['is no bearer token', { token_type: 'mac' }],
    ['has a lifetime that is none', { expires_in: 'soon' }],
    ['has a lifetime in the past', { expires_in: '-1' }],
  ] as const) {
    it(`ignores an answer that ${what}`, () => {
      assert.deepEqual(opened(answer(changed)).arrival, { type: 'ignored' });
    });
  }

  it('ignores an answer to a request of an hour ago, and forgets such requests', () => {
    const storage = memoryStorage();
    let time = now;
    const pending = new PendingRequests(storage, () => time);
    pending.add('known', { mode: 'page', route: '/' });
    time += 3_600_001;
    assert.deepEqual(arrive(readFragment(answer({})), { pending, issuer, now }), { type: 'ignored' });
    pending.add('old', { mode: 'page', route: '/' });
    time += 3_600_001;
    pending.add('new', { mode: 'page', route: '/' });
    assert.equal(storage.length, 1);
  });
});

describe('requesting a token', () => {
  it('follows the path prefix of the page', () => {
    const baseUrl = baseUrlOf({ origin: 'https://id.example', pathname: '/auth/client/client.html' });
    assert.equal(baseUrl, issuer);
    const url = new URL(authorizationUrl({ baseUrl, state: 's', askAgain: true }));
    assert.equal(url.pathname, '/auth/authorize');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      response_type: 'token',
      client_id: 'authorization-server-admin-js-client',
      redirect_uri: `${issuer}/client/client.html`,
      scope: 'read write',
      state: 's',
      prompt: 'consent',
    });
  });

  it('can ask for a login of the last seconds', () => {
    const url = new URL(authorizationUrl({ baseUrl: issuer, state: 's', maxAge: 900 }));
    assert.equal(url.searchParams.get('max_age'), '900');
  });

  it('has a state of 256 bits that is never the same', () => {
    assert.match(newState(), /^[\w-]{43}$/);
    assert.notEqual(newState(), newState());
  });
});
