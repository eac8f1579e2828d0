import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { endpointsOf, type Feature, startInOrder } from '../../src/features/feature.ts';
import type { HttpRequest } from '../../src/http/request.ts';

/** Features that record when they start and stop. */
function recorded(names: readonly string[], failing?: string) {
  const steps: string[] = [];
  const features = names.map(
    (name): Feature => ({
      async start() {
        if (name === failing) throw new Error(`${name} fails`);
        steps.push(`start ${name}`);
        return async () => {
          await Promise.resolve();
          steps.push(`stop ${name}`);
        };
      },
    }),
  );
  return { steps, features };
}

/** Registered records that a test makes old. A read makes them current. */
function recordsInMemory() {
  const inMemory = {
    areCurrent: true,
    isAnswering: true,
    reads: 0,
    recordsAreCurrent: () => inMemory.areCurrent,
    async refreshRegistry() {
      if (!inMemory.isAnswering) throw new StoreUnavailableError('the database does not answer');
      inMemory.reads += 1;
      inMemory.areCurrent = true;
    },
  };
  return inMemory;
}

describe('features', () => {
  it('start in the order of their list, and stop in reverse order, one after the other', async () => {
    const { steps, features } = recorded(['a', 'b', 'c']);
    const started = await startInOrder([...features, {}]);
    assert.deepEqual(steps, ['start a', 'start b', 'start c']);
    await started.disposeAsync();
    assert.deepEqual(steps.slice(3), ['stop c', 'stop b', 'stop a']);
  });

  it('are stopped when a later one fails to start', async () => {
    const { steps, features } = recorded(['a', 'b', 'c', 'd'], 'c');
    await assert.rejects(startInOrder(features), /c fails/);
    assert.deepEqual(steps, ['start a', 'start b', 'stop b', 'stop a']);
  });

  it('are served below the path of the base URL, or at a path of the host', () => {
    const endpoint = (path: string) => ({ path, methods: {} });
    const features = [
      { endpoints: [endpoint('/a')] },
      { endpoints: [endpoint('/b')], hostEndpoints: [endpoint('/.well-known/c')] },
    ];
    const paths = endpointsOf(features, '/auth', recordsInMemory()).map(({ path }) => path);
    assert.deepEqual(paths, ['/auth/a', '/auth/b', '/.well-known/c']);
  });

  it('answer only from current records, unless they do not use them', async () => {
    const inMemory = recordsInMemory();
    const endpoints = [{ path: '/a', methods: { GET: () => ({ body: { reads: inMemory.reads } }) } }];
    const answerOf = async (records?: Feature['records']) => {
      const [endpoint] = endpointsOf([{ endpoints, ...(records && { records }) }], '', inMemory);
      return (await endpoint?.methods.GET?.({} as HttpRequest))?.body;
    };
    assert.deepEqual(await answerOf(), { reads: 0 });
    inMemory.areCurrent = false;
    assert.deepEqual(await answerOf('unused'), { reads: 0 });
    assert.deepEqual(await answerOf(), { reads: 1 });
    assert.deepEqual(await answerOf(), { reads: 1 });
    assert.deepEqual(await answerOf('newest'), { reads: 2 });
    inMemory.areCurrent = false;
    inMemory.isAnswering = false;
    await assert.rejects(answerOf(), /the database does not answer/);
  });
});
