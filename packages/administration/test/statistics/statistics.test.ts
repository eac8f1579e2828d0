import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type IssuedToClient, StoreUnavailableError } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildResourceServer,
  protocolDependencies,
} from '@watchword/testkit';
import type { Caller } from '../../src/callers/caller.ts';
import type { Health } from '../../src/statistics/health.ts';
import { administrationStatistics } from '../../src/statistics/statistics.ts';

const root = buildAdministrator();
const emma = buildCaller('emma');

/** Emma has three clients, finn has one. @param costs what reading the counts of a client costs */
function server(costs = 1, flushCounts = async () => {}) {
  const { clock, store } = protocolDependencies();
  store.putResourceServer(
    buildResourceServer({ id: 2, key: 'other', name: 'Other', owner: 'finn', ownerAuthority: 'password' }),
  );
  for (const [id, resourceServerId] of [
    [11, 1],
    [12, 1],
    [13, 2],
  ] as const) {
    store.putClient(buildClient({ id, clientId: `client-${id}`, resourceServerId }));
  }
  const busy: IssuedToClient[] = [];
  const issuedTo: IssuedToClient[] = [];
  const ranges: [from: number, until: number][] = [];
  const statistics: typeof store.statistics = {
    ...store.statistics,
    busiest: async () => busy,
    async issuedTo(_ids, { from, until }) {
      ranges.push([from, until]);
      return issuedTo;
    },
    async issued(asked) {
      ranges.push([asked.from, asked.until]);
      return store.statistics.issued(asked);
    },
    countOf: async () => ({ tokens: 1, grants: 2, resourceOwners: 1, read: costs }),
  };
  return {
    busy,
    issuedTo,
    ranges,
    store,
    clock,
    admin: administrationStatistics({
      readSnapshot: async (read) => read({ ...store, statistics }),
      clock,
      flushCounts,
      errors: async () => [{ error: 'invalid_grant', requests: 1 }],
      health: async () => ({}) as Health,
      registered: store,
    }),
  };
}

async function pages(
  { admin }: ReturnType<typeof server>,
  caller: Caller,
  limit: number,
): Promise<number[][]> {
  const read: number[][] = [];
  let after: number | undefined;
  do {
    const { clients } = await admin.count(caller, { limit, after }, 24);
    read.push(clients.items.map(({ client }) => client.id));
    after = clients.next;
  } while (after !== undefined && read.length < 9);
  return read;
}

describe('the statistics', () => {
  it('have each client of the caller once, and all clients for an administrator', async () => {
    const all = (await pages(server(), root, 2)).flat();
    assert.deepEqual(all.slice(-3), [11, 12, 13]);
    assert.equal(all.length, 4);
    assert.deepEqual((await pages(server(), emma, 9)).flat(), all.slice(0, -1));
  });

  it('end a page when its counts have cost ten thousand rows, and count those that are kept once', async () => {
    assert.deepEqual(
      (await pages(server(5000), root, 9)).map(({ length }) => length),
      [2, 2, 0],
    );
    const test = server(5000);
    await pages(test, root, 9);
    assert.deepEqual(
      (await pages(test, root, 9)).map(({ length }) => length),
      [4],
    );
    test.clock.advance(30_000);
    assert.equal((await pages(test, root, 9)).length, 3);
  });

  it('have the busiest clients for administrators, on the first page', async () => {
    const { admin, busy } = server();
    // The one that was busier is deleted.
    busy.push({ clientRecordId: 99, tokens: 4, lastHour: 0 }, { clientRecordId: 12, tokens: 3, lastHour: 7 });
    const { busiest: uses } = await admin.count(root, { limit: 9 }, 24);
    assert.deepEqual(
      uses.map(({ issued, lastHour }) => [issued, lastHour]),
      [[3, 7]],
    );
    const busiest = async (caller: Caller, after?: number) =>
      (await admin.count(caller, { limit: 9, after }, 24)).busiest.map(({ client }) => client.id);
    assert.deepEqual([await busiest(root), await busiest(root, 11), await busiest(emma)], [[12], [], []]);
  });

  it('have the tokens that were issued to each client, and none where none was', async () => {
    const { admin, issuedTo } = server();
    issuedTo.push({ clientRecordId: 12, tokens: 3, lastHour: 7 });
    const { clients } = await admin.count(emma, { limit: 9 }, 24);
    const uses = clients.items.map(({ client, issued, lastHour }) => [client.id, issued, lastHour]);
    assert.deepEqual(uses.slice(-2), [
      [11, 0, undefined],
      [12, 3, 7],
    ]);
  });

  it('are of whole hours, the current one included, and have what was counted until now', async () => {
    let flushes = 0;
    const { admin, clock, ranges, store } = server(1, async () => {
      flushes += 1;
    });
    const hour = Math.floor(clock.now() / 3_600_000);
    const [client] = await store.clients.list({ limit: 1 });
    await admin.count(root, { limit: 9 }, 24);
    await admin.countOne(client ?? assert.fail(), 1);
    assert.deepEqual(ranges, [
      [hour - 23, hour + 1],
      [hour - 23, hour + 1],
      [hour, hour + 1],
    ]);
    assert.equal(flushes, 2);
  });

  it('have errors and health for administrators only', async () => {
    const { admin } = server();
    assert.deepEqual([(await admin.errors(root)).length, (await admin.errors(emma)).length], [1, 0]);
    assert.deepEqual([await admin.health(root), await admin.health(emma)], [{}, undefined]);
  });

  it('have the counts that are stored while the database cannot be written, and no other error is hidden', async () => {
    const failing = (error: Error) =>
      server(1, async () => {
        throw error;
      }).admin.count(root, { limit: 9 }, 24);
    assert.equal((await failing(new StoreUnavailableError('busy'))).clients.items.length, 4);
    await assert.rejects(failing(new Error('a defect')), /a defect/);
  });
});
