import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';
import { createGuard, requireLogin, requireScope, type VerifierEvents } from '../src/index.ts';
import { builtinModule } from '../src/platform/platform.ts';
import { buildTokenInfo, fakeVerifier } from '../src/testing.ts';
import { accept, answerWith, reject } from './support/authorization-server.ts';
import { eventually, jwtServer } from './support/jwt-server.ts';
import { startVerifier } from './support/verifier.ts';

const names = ['hit', 'lookup', 'verification', 'refusal', 'list'] as const;
type Told = {
  readonly [Name in (typeof names)[number]]: VerifierEvents[`watchword:resource-server:${Name}`][];
};

/** All events from now on. */
function listen(): Told & Disposable {
  const told: Told = { hit: [], lookup: [], verification: [], refusal: [], list: [] };
  const listeners = names.map((name) => {
    const listener = (event: unknown) => void told[name].push(event as never);
    subscribe(`watchword:resource-server:${name}`, listener);
    return [`watchword:resource-server:${name}`, listener] as const;
  });
  return {
    ...told,
    [Symbol.dispose]() {
      for (const [name, listener] of listeners) unsubscribe(name, listener);
    },
  };
}

const api = 'orders-api';

describe('events of node:diagnostics_channel', () => {
  it('tell of each lookup, and of each answer from memory, why a token is not accepted', async () => {
    await using test = await startVerifier(accept());
    using told = listen();
    for (const _ of [1, 2]) await test.verifier.verify('one');
    test.server.answer(reject);
    for (const _ of [1, 2]) await assert.rejects(test.verifier.verify('two'));
    test.server.answer((_request, response) => {
      test.system.advance(20);
      answerWith(429, {})(_request, response);
    });
    await assert.rejects(test.verifier.verify('three'));
    assert.deepEqual(told.lookup, [
      { api, outcome: 'accepted', duration: 0 },
      { api, outcome: 'rejected', reason: 'unknown', duration: 0 },
      { api, outcome: 'unavailable', reason: 'rate_limited', duration: 20 },
    ]);
    assert.deepEqual(told.hit, [
      { api, outcome: 'accepted' },
      { api, outcome: 'rejected', reason: 'unknown' },
    ]);
    assert.deepEqual([told.verification, told.list, told.refusal], [[], [], []]);
  });

  it('tell of a token that is accepted only because the server does not answer', async () => {
    await using test = await startVerifier(accept(), { cache: { ttl: 1000, staleIfError: 60_000 } });
    await test.verifier.verify('one');
    test.system.advance(1000);
    test.server.answer(answerWith(503, {}, { 'retry-after': '1' }));
    using told = listen();
    await test.verifier.verify('one');
    assert.deepEqual(told.hit, [{ api, outcome: 'accepted', reason: 'stale' }]);
    assert.equal(told.lookup[0]?.outcome, 'unavailable');
  });

  it('tell of each JWT that is verified without a lookup, and how old the list of revocations is', async () => {
    await using test = await jwtServer();
    await test.ready();
    await test.waiting();
    using told = listen();
    const token = await test.issue();
    await test.verifier.verify(token);
    await test.verifier.verify(token);
    await test.revoke({ grants: { 'grant-2': 4_000_000_000 } });
    await assert.rejects(test.verifier.verify(await test.issue({ grant_id: 'grant-2' })));
    assert.deepEqual(told.verification, [
      { api, outcome: 'accepted', duration: 0 },
      { api, outcome: 'rejected', reason: 'unknown', duration: 0 },
    ]);
    assert.deepEqual(told.hit, [{ api, outcome: 'accepted' }]);
    assert.deepEqual(told.lookup, []);
    assert.deepEqual(told.list.at(-1), { api, age: 0, isCurrent: true });
    test.feed = answerWith(503, {}, { 'retry-after': '1' });
    test.system.advance(10_000);
    await test.endWaiting();
    await eventually(() => {
      for (const pause of [50, 500]) if (test.system.isWaitingFor(pause)) test.system.advance(pause);
      return told.list.at(-1)?.isCurrent === false;
    });
    assert.ok((told.list.at(-1)?.age ?? 0) >= 10_000);
  });

  it('tell of each refusal by a guard or a helper, with its status and reason', async () => {
    const verifier = fakeVerifier();
    const guard = createGuard(verifier, { scope: 'read' });
    const token = verifier.issue();
    using told = listen();
    const good = verifier.issue({ scopes: ['read'] });
    await guard(`Bearer ${good}`);
    await assert.rejects(guard(undefined));
    await assert.rejects(guard('Bearer a b'));
    await assert.rejects(guard('Bearer unknown'));
    await assert.rejects(guard(`Bearer ${token}`));
    const bound = verifier.issue({ cnf: { jkt: 'x' } });
    await assert.rejects(guard(`Bearer ${bound}`));
    verifier.fail('timeout');
    await assert.rejects(guard(`Bearer ${good}`));
    assert.throws(() => requireScope(undefined, 'read'));
    verifier.recover();
    const info = await verifier.verify(token);
    assert.throws(() => requireScope(info, 'write'));
    assert.throws(() => requireLogin(buildTokenInfo({ auth_time: 1 }), { maxAge: 60 }));
    assert.deepEqual(told.refusal, [
      { status: 401, code: 'missing_token' },
      { status: 400, code: 'invalid_request' },
      { status: 401, code: 'invalid_token', reason: 'unknown' },
      { status: 403, code: 'insufficient_scope' },
      { status: 401, code: 'invalid_token', reason: 'bound' },
      { status: 503, code: 'temporarily_unavailable', reason: 'timeout' },
      { status: 401, code: 'missing_token' },
      { status: 403, code: 'insufficient_scope' },
      { status: 401, code: 'insufficient_user_authentication', reason: 'age' },
    ]);
  });

  it('have no token, secret or user', async () => {
    await using test = await jwtServer({ secret: 'its-secret' });
    using told = listen();
    await test.ready();
    const token = await test.issue();
    await createGuard(test.verifier)(`Bearer ${token}`);
    await assert.rejects(createGuard(test.verifier, { scope: 'none' })(`Bearer ${token}`));
    const text = JSON.stringify(told);
    for (const secret of [token, 'its-secret', 'emma', 'web-shop']) assert.ok(!text.includes(secret), secret);
  });

  it('are left out on platforms without such channels', () => {
    for (const process of [undefined, {}, { getBuiltinModule: () => undefined }]) {
      assert.deepEqual(builtinModule('node:diagnostics_channel', process ?? {}), {});
    }
  });
});
