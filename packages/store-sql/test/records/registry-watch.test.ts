import assert from 'node:assert/strict';
import { it } from 'node:test';
import { buildClient } from '@watchword/testkit';
import type { RegistryChanges } from '../../src/hot/hot-work.ts';
import { MemoryRegistry } from '../../src/records/memory-registry.ts';
import { changesAfter } from '../../src/records/registry-changes.ts';
import { RegistryFeed } from '../../src/records/registry-feed.ts';

const changes: RegistryChanges = { revision: 1, isWhole: false, resourceServers: [], clients: [] };

it('reports a poll that fails, and continues to poll', async () => {
  const errors: unknown[] = [];
  const recovered = Promise.withResolvers<void>();
  let polls = 0;
  const watched = new RegistryFeed(new MemoryRegistry(), async () => {
    polls += 1;
    if (polls <= 2) throw new Error(`poll ${polls}`);
    recovered.resolve();
    return changes;
  });
  watched.start(1, (error) => errors.push(error));
  await recovered.promise;
  watched.stop();
  assert.deepEqual(errors.map(String), ['Error: poll 1', 'Error: poll 2']);
});

it('ends polling when it is stopped', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  let polls = 0;
  const watched = new RegistryFeed(new MemoryRegistry(), async () => {
    polls += 1;
    return undefined;
  });
  watched.start(100, (error) => assert.fail(String(error)));
  context.mock.timers.tick(100);
  await watched.refresh();
  watched.stop();
  context.mock.timers.tick(1000);
  await watched.refresh();
  // The first call shared the read of the poll.
  assert.equal(polls, 2);
});

it('applies snapshots in the order of their requests', async () => {
  const registry = new MemoryRegistry();
  const answers = [Promise.withResolvers<RegistryChanges>(), Promise.withResolvers<RegistryChanges>()];
  const asked: number[] = [];
  const begun = Promise.withResolvers<void>();
  const watched = new RegistryFeed(registry, (revision) => {
    asked.push(revision);
    begun.resolve();
    return answers[asked.length - 1]?.promise ?? assert.fail('asked too often');
  });
  const first = watched.refresh();
  // The first read has begun, so it can lack what was committed before the second call.
  await begun.promise;
  const refreshes = [first, watched.refresh()];
  const [old, young] = ['old', 'young'].map((clientName) => buildClient({ id: 7, clientName }));
  answers[1]?.resolve({ ...changes, revision: 2, clients: [{ id: 7, record: young }] });
  answers[0]?.resolve({ ...changes, clients: [{ id: 7, record: old }] });
  await Promise.all(refreshes);
  assert.equal(registry.clientById(7)?.clientName, 'young');
  assert.deepEqual(asked, [-1, 1]);
});

it('reads once for all callers that wait for the same read', async () => {
  const reads = [1, 2].map(() => Promise.withResolvers<RegistryChanges | undefined>());
  let asked = 0;
  const begun = Promise.withResolvers<void>();
  const watched = new RegistryFeed(new MemoryRegistry(), () => {
    asked += 1;
    begun.resolve();
    return reads[asked - 1]?.promise ?? assert.fail('asked too often');
  });
  const first = watched.refresh();
  await begun.promise;
  const later = [watched.refresh(), watched.refresh(), watched.refresh()];
  reads[0]?.resolve(changes);
  reads[1]?.resolve(undefined);
  assert.ok(await first);
  assert.deepEqual(await Promise.all(later), [false, false, false]);
  assert.equal(asked, 2);
});

it('is as young as the begin of its last read that succeeded', async (context) => {
  let now = 1000;
  context.mock.method(performance, 'now', () => now);
  let isAnswering = true;
  const watched = new RegistryFeed(new MemoryRegistry(), async () => {
    now += 100;
    if (!isAnswering) throw new Error('no');
    return undefined;
  });
  assert.ok(!watched.isYoungerThan(10_000));
  await watched.refresh();
  assert.ok(watched.isYoungerThan(101));
  assert.ok(!watched.isYoungerThan(100));
  isAnswering = false;
  await assert.rejects(watched.refresh(), /no/);
  assert.ok(!watched.isYoungerThan(200));
});

it('reads everything again in a database that was restored to an earlier revision', () => {
  const seen: number[] = [];
  const snapshot = (revision: number) => ({
    revision,
    purgedRevision: 0,
    resourceServers: () => [],
    clients: (since: number) => {
      seen.push(since);
      return [];
    },
  });
  assert.ok(changesAfter(-1, snapshot(5))?.isWhole);
  assert.equal(changesAfter(5, snapshot(5)), undefined);
  assert.equal(changesAfter(5, snapshot(6))?.isWhole, false);
  assert.ok(changesAfter(6, snapshot(3))?.isWhole);
  assert.deepEqual(seen, [-1, 5, -1]);
});
