import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, it } from 'node:test';
import type { Fetch } from '../../src/index.ts';
import { takeContext } from '../../src/platform/background.ts';
import { answerWith } from '../support/authorization-server.ts';
import { eventually, jwtServer } from '../support/jwt-server.ts';

describe('the async context', () => {
  it('of requests in the background is that in which the verifier was made, and never that of a user', async () => {
    const storage = new AsyncLocalStorage<string>();
    const asked: { readonly path: string; readonly context: string | undefined }[] = [];
    const warned = new Set<string | undefined>();
    const options = {
      fetch: ((url, init) => {
        asked.push({ path: new URL(url).pathname, context: storage.getStore() });
        return fetch(url, init);
      }) satisfies Fetch,
      warn: () => void warned.add(storage.getStore()),
    };
    await using test = await storage.run('made', () => jwtServer(options));
    const contextsOf = (path: string) =>
      new Set(asked.filter((request) => request.path === path).map(({ context }) => context));
    await storage.run('user', async () => {
      await test.ready();
      await test.waiting();
      await test.endWaiting();
      await eventually(() => test.system.isWaitingFor(500));
      test.system.advance(320_000);
      await test.ready();
      await test.waiting();
      await eventually(() => asked.filter(({ path }) => path === '/oauth2/jwks').length > 1);
      test.feed = answerWith(503, {});
      await test.endWaiting();
      await eventually(() => {
        if (test.system.isWaitingFor(500)) test.system.advance(500);
        return warned.size > 0;
      });
    });
    assert.deepEqual(contextsOf('/oauth2/revocations'), new Set(['made']));
    // A new key of a list, and a set that is too old, are fetched in the background.
    assert.deepEqual(contextsOf('/oauth2/jwks'), new Set(['made']));
    assert.deepEqual(contextsOf('/v1/tokeninfo'), new Set(['user']));
    assert.deepEqual(warned, new Set(['made']));
  });

  it('is left alone on platforms that have none', (t) => {
    const { process } = globalThis;
    t.after(() => {
      globalThis.process = process;
    });
    globalThis.process = { env: {} } as typeof process;
    const run = takeContext();
    globalThis.process = process;
    assert.equal(
      run(() => 7),
      7,
    );
  });
});
