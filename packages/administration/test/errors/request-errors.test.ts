import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestError, UnattributedError } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildResourceServer,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import type { Caller } from '../../src/callers/caller.ts';
import { requestErrorAdministration } from '../../src/errors/request-errors.ts';

const root = buildAdministrator();
const hour = 3_600_000;

/** Errors of two clients: `test-client` of emma and `other-client` of finn. */
async function administration(
  stored: readonly Partial<RequestError>[],
  recent: readonly Partial<RequestError>[] = [],
  unattributed: readonly UnattributedError[] = [],
) {
  const { clock, store, client } = protocolDependencies();
  store.putResourceServer(
    buildResourceServer({ id: 2, key: 'other', name: 'Other', owner: 'finn', ownerAuthority: 'password' }),
  );
  const other = store.putClient(buildClient({ id: 20, clientId: 'other-client', resourceServerId: 2 }));
  const now = clock.now();
  const made = (given: Partial<RequestError>, index: number): RequestError => ({
    id: `id ${index}`,
    time: now,
    clientRecordId: client.id,
    endpoint: 'token',
    isAuthenticated: true,
    requestId: undefined,
    error: 'invalid_grant',
    reason: 'why',
    rule: undefined,
    expected: undefined,
    came: undefined,
    ...given,
  });
  await store.requestErrors.append(stored.map(made), 9999);
  const newest = recent.map(made).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const admin = requestErrorAdministration({
    ...store,
    clock,
    registered: store,
    recentRequestErrors: {
      list: async (id) => newest.filter(({ clientRecordId }) => id === undefined || id === clientRecordId),
      find: async (wanted) => [...newest, ...unattributed].find(({ requestId }) => requestId === wanted),
      dropped: async () => 3,
    },
  });
  const ids = async (caller: Caller, filter: { clientId?: string; error?: string } = {}, limit = 20) => {
    const { items } = await admin.list(caller, filter, { limit });
    return items.map(({ id }) => id);
  };
  return { admin, ids, now, other, store };
}

describe('the errors of requests', () => {
  it('are listed newest first, each once, from the memory of the node and from the store', async () => {
    const [both, memory, old] = [{ id: 'b' }, { id: 'c' }, { id: 'a' }];
    const { admin, ids } = await administration([old, both], [both, memory]);
    assert.deepEqual(await ids(root), ['c', 'b', 'a']);
    const read: string[] = [];
    let after: string | undefined;
    do {
      const page = await admin.list(root, {}, { limit: 1, after });
      read.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined && read.length < 9);
    assert.deepEqual(read, ['c', 'b', 'a']);
  });

  it('are listed each once when all that are in memory are newer', async () => {
    const { admin } = await administration(
      [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      [{ id: 'd' }, { id: 'e' }],
    );
    const first = await admin.list(root, {}, { limit: 2 });
    const second = await admin.list(root, {}, { limit: 3, after: first.next });
    assert.deepEqual(
      [first, second].map(({ items }) => items.map(({ id }) => id)),
      [
        ['e', 'd'],
        ['c', 'b', 'a'],
      ],
    );
  });

  it('are found also behind others, in the store and in memory by turns', async () => {
    const stored = [{ id: 'i' }, { id: 'g' }, { id: 'f', error: 'invalid_scope' }];
    const { admin } = await administration(stored, [{ id: 'h' }, { id: 'e' }]);
    const { items } = await admin.list(root, { error: 'invalid_scope' }, { limit: 1 });
    assert.deepEqual(
      items.map(({ id }) => id),
      ['f'],
    );
  });

  it('are those of the last day', async () => {
    const { now } = await administration([]);
    const times = [
      { id: 'a', time: now - 24 * hour - 1 },
      { id: 'b', time: now - 24 * hour },
    ];
    assert.deepEqual(await (await administration(times)).ids(root), ['b']);
    assert.deepEqual(await (await administration([], times)).ids(root), ['b']);
  });

  it('are those of the own clients, of which one can be named', async () => {
    const own = { id: 'a' };
    const { other } = await administration([]);
    const foreign = { id: 'b', clientRecordId: other.id, error: 'invalid_scope' };
    const gone = { id: 'c', clientRecordId: 77 };
    for (const [stored, recent] of [
      [[own, foreign, gone], []],
      [[], [own, foreign, gone]],
    ] as const) {
      const { ids } = await administration(stored, recent);
      const [emma, finn] = [buildCaller('emma'), buildCaller('finn')];
      assert.deepEqual(await ids(root), ['b', 'a']);
      assert.deepEqual([await ids(emma), await ids(finn)], [['a'], ['b']]);
      assert.deepEqual(await ids(root, { clientId: 'other-client' }), ['b']);
      assert.deepEqual(await ids(emma, { clientId: 'other-client' }), []);
      assert.deepEqual(await ids(root, { clientId: 'unknown' }), []);
      assert.deepEqual(await ids(root, { error: 'invalid_scope' }), ['b']);
    }
  });

  it('are counted in groups of one client, error and reason, the most frequent first, then the latest', async () => {
    const { now } = await administration([]);
    const errors = [
      { id: '1', time: now - 5, reason: 'often' },
      { id: '2', time: now - 1, reason: 'rare', requestId: 'r-2' },
      { id: '3', time: now - 3, reason: 'often', requestId: 'r-3' },
      { id: '4', time: now - 6, reason: 'rarer' },
      { id: '5', time: now - 2 * hour, reason: 'old' },
    ];
    const { admin } = await administration(errors);
    const { groups, dropped } = await admin.summary(root, {}, 1);
    assert.deepEqual(
      groups.map(({ reason, requests, lastTime, lastRequestId }) => [
        reason,
        requests,
        now - lastTime,
        lastRequestId,
      ]),
      [
        ['often', 2, 3, 'r-3'],
        ['rare', 1, 1, 'r-2'],
        ['rarer', 1, 6, undefined],
      ],
    );
    assert.equal(dropped, 3);
  });

  it('are not counted when their client is deleted', async () => {
    const { admin } = await administration([{ id: 'a', clientRecordId: 77 }]);
    assert.deepEqual((await admin.summary(root, {}, 1)).groups, []);
  });

  it('are counted in at most a hundred groups', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ id: `${index}`, reason: `${index}` }));
    const { admin } = await administration(many);
    assert.equal((await admin.summary(root, {}, 1)).groups.length, 100);
  });

  it('are counted over all pages of the store', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({ id: String(index).padStart(5, '0') }));
    const { admin } = await administration(many);
    assert.deepEqual(
      (await admin.summary(root, {}, 1)).groups.map(({ requests }) => requests),
      [1001],
    );
  });
});

describe('the explanation of an error', () => {
  const [emma, finn] = [buildCaller('emma'), buildCaller('finn')];

  it('is given to the owner of its client and to administrators, for a day', async () => {
    const { now } = await administration([]);
    const errors = [
      { id: 'a', requestId: 'r-1', time: now - 24 * hour },
      { id: 'b', requestId: 'r-2', time: now - 24 * hour - 1 },
    ];
    const { admin } = await administration(errors, [{ id: 'c', requestId: 'r-3' }]);
    for (const requestId of ['r-1', 'r-3']) {
      for (const caller of [emma, root]) {
        const { client, endpoint, isAuthenticated } = await admin.explain(caller, requestId);
        assert.deepEqual([client?.clientId, endpoint, isAuthenticated], ['test-client', 'token', true]);
      }
      await assert.rejects(admin.explain(finn, requestId), protocolError('not_found'));
    }
    for (const requestId of ['r-2', 'unknown']) {
      await assert.rejects(admin.explain(root, requestId), protocolError('not_found'));
    }
  });

  it('of an error of a client that is deleted is given to administrators alone', async () => {
    const gone = { clientRecordId: 77, isAuthenticated: false, requestId: 'r-5' };
    const { admin } = await administration([gone]);
    const { client, isAuthenticated } = await admin.explain(root, 'r-5');
    assert.deepEqual([client, isAuthenticated], [undefined, false]);
    await assert.rejects(admin.explain(emma, 'r-5'), protocolError('not_found'));
  });

  it('of an error that names no client is given to administrators alone, with its address', async () => {
    const cause = {
      error: 'invalid_request',
      reason: 'why',
      rule: undefined,
      expected: undefined,
      came: undefined,
    };
    const { admin } = await administration(
      [],
      [],
      [{ ...cause, time: 1, requestId: 'r-4', route: '/oauth2/token' }],
    );
    const { client, endpoint, isAuthenticated } = await admin.explain(root, 'r-4');
    assert.deepEqual([client, endpoint, isAuthenticated], [undefined, '/oauth2/token', false]);
    await assert.rejects(admin.explain(emma, 'r-4'), protocolError('not_found'));
  });
});
