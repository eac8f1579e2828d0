import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointsOf, type Feature, startInOrder } from '../src/features/feature.ts';

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
    const paths = endpointsOf(features, '/auth').map(({ path }) => path);
    assert.deepEqual(paths, ['/auth/a', '/auth/b', '/.well-known/c']);
  });
});
