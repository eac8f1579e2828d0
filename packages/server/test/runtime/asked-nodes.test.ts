import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OAuthError, RequestError } from '@watchword/protocol';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { askedNodes } from '../../src/runtime/nodes/asked-nodes.ts';
import { systemClock } from '../../src/system.ts';

const error = { requestId: 'known', error: 'invalid_client', reason: 'wrong' } as RequestError;

describe('a node that asks the others for an error', () => {
  let server: TestServer;
  let find: ReturnType<typeof askedNodes>;
  before(async () => {
    server = await startServer();
    const { store, logger } = server.service;
    const requestErrors = { find: (id: string) => (id === error.requestId ? error : undefined) };
    find = askedNodes({ store, requestErrors, clock: systemClock, logger });
  });
  after(() => server[Symbol.asyncDispose]());

  const left = () => server.service.store.nodeQuestions.listAfter(0, 0);

  it('gets it from the one that has it, and leaves no question', async () => {
    assert.deepEqual(await find('known'), error);
    assert.deepEqual(await left(), []);
  });

  it('asks about four at most at the same time, and says when to try again', async () => {
    const asked = Array.from({ length: 5 }, (_, index) => find(`unknown-${index}`));
    const [fifth, ...others] = (await Promise.allSettled(asked)).reverse();
    assert.deepEqual(
      others.map((settled) => settled.status === 'fulfilled' && settled.value),
      [undefined, undefined, undefined, undefined],
    );
    const { kind, retryAfter } = (fifth as PromiseRejectedResult).reason as OAuthError;
    assert.deepEqual([kind, retryAfter], ['temporarily_unavailable', 1]);
    assert.deepEqual(await find('known'), error);
  });

  it('asks nothing about a text that is too long for an id', async () => {
    assert.equal(await find('x'.repeat(129)), undefined);
  });

  it('removes what a node left that ended while it asked', async () => {
    const { nodeQuestions } = server.service.store;
    const question = await nodeQuestions.ask('known', systemClock.now() - 60_000);
    await nodeQuestions.answer(question, error, systemClock.now() - 60_000);
    await find('known');
    assert.deepEqual([await left(), await nodeQuestions.answersTo(question)], [[], []]);
  });
});
