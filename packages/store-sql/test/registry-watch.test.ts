import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MemoryRegistry } from '../src/memory-registry.ts';
import { RegistryFeed } from '../src/registry-feed.ts';

const unchanged = { revision: 1, purgedRevision: 0, resourceServers: () => [], clients: () => [] };

it('a poll that fails is reported, and polling goes on', async () => {
  const errors: unknown[] = [];
  const recovered = Promise.withResolvers<void>();
  let polls = 0;
  const watched = new RegistryFeed(new MemoryRegistry(), (use) => {
    polls += 1;
    if (polls <= 2) throw new Error(`poll ${polls}`);
    use(unchanged);
    recovered.resolve();
  });
  watched.start(1, (error) => errors.push(error));
  await recovered.promise;
  watched.stop();
  assert.deepEqual(errors.map(String), ['Error: poll 1', 'Error: poll 2']);
});

it('polling ends when it is stopped', (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  let polls = 0;
  const watched = new RegistryFeed(new MemoryRegistry(), () => {
    polls += 1;
  });
  watched.start(100, (error) => assert.fail(String(error)));
  context.mock.timers.tick(100);
  watched.stop();
  context.mock.timers.tick(1000);
  assert.equal(polls, 1);
});

it('a database that was restored to an earlier revision is read anew', () => {
  const seen: number[] = [];
  let revision = 5;
  const watched = new RegistryFeed(new MemoryRegistry(), (use) => {
    const clients = (since: number) => {
      seen.push(since);
      return [];
    };
    use({ ...unchanged, revision, clients });
  });
  watched.refresh();
  revision = 6;
  watched.refresh();
  revision = 3;
  watched.refresh();
  assert.deepEqual(seen, [-1, 5, -1]);
});
