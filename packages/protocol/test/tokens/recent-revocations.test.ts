import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildClient, FakeClock, grantFactory, memoryStore } from '@watchword/testkit';
import { RecentRevocations, type RevocationPage, type RevocationStore } from '../../src/index.ts';
import { mostEntries } from '../../src/tokens/revocations/recent-revocations.ts';

const minute = 60_000;
const make = grantFactory();

/** A store, and a way to revoke a grant at a time. */
function start() {
  const clock = new FakeClock();
  const store = memoryStore(clock);
  const reads: RevocationPage[] = [];
  const revocations: RevocationStore = {
    ...store.revocations,
    listGrants(page) {
      reads.push(page);
      return store.revocations.listGrants(page);
    },
  };
  const recent = new RecentRevocations(revocations, clock);
  return {
    clock,
    reads,
    recent,
    store,
    async revoke(at = clock.now()): Promise<string> {
      const grant = make.grant();
      await store.authorizationCodes.insert(make.code(grant), grant);
      await store.grants.revoke(grant.id, at);
      return grant.id;
    },
    idsSince: (time: number) => recent.since(time)?.grants.map(({ id }) => id),
  };
}

describe('the revocations of the last minutes', () => {
  it('are those of the last five and a half minutes, and are not known further back', async () => {
    const { clock, recent, revoke, idsSince } = start();
    await revoke(clock.now() - 6 * minute);
    const id = await revoke(clock.now() - 5 * minute);
    await recent.refresh();
    assert.deepEqual(idsSince(clock.now() - 5.5 * minute), [id]);
    assert.equal(idsSince(clock.now() - 6 * minute), undefined);
    assert.deepEqual(idsSince(clock.now() - 5 * minute), []);
  });

  it('have one that is committed up to a minute after the time that it has', async () => {
    const { clock, recent, revoke, idsSince } = start();
    await recent.refresh();
    const begin = clock.now();
    for (const late of [9_000, 59_000]) {
      clock.advance(minute);
      await recent.refresh();
      const id = await revoke(clock.now() - late);
      clock.advance(5000);
      await recent.refresh();
      assert.ok(idsSince(begin)?.includes(id), String(late));
    }
  });

  it('have one that is committed late also when they are read every second', async () => {
    const { clock, recent, revoke, idsSince } = start();
    const begin = clock.now() - minute;
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1000);
        await recent.refresh();
      }
    };
    await pass(60);
    const id = await revoke(clock.now() - 50_000);
    await pass(5);
    assert.deepEqual(idsSince(begin), [id]);
  });

  it('have tokens as they have grants, and each of them after the time that is asked for', async () => {
    const { clock, recent, store } = start();
    const revokedAt = clock.now() - minute;
    const revoked = { clientRecordId: 1, expires: clock.now() + minute };
    for (const late of [0, 1]) {
      await store.revocations.revokeToken({ ...revoked, id: `token ${late}`, revokedAt: revokedAt + late });
    }
    await recent.refresh();
    const idsAfter = (time: number) => recent.since(time)?.tokens.map(({ id }) => id);
    assert.deepEqual(idsAfter(revokedAt), ['token 1']);
    assert.deepEqual(idsAfter(revokedAt - 1), ['token 0', 'token 1']);
  });

  it('are the last 200,000, and are not known further back than these', async () => {
    const { clock, store } = start();
    const first = clock.now() - 5 * minute;
    assert.equal(mostEntries, 200_000);
    const most = 3000;
    const count = most + 2;
    const tokens: RevocationStore['listTokens'] = async ({ after, limit }) => {
      const begin = after === undefined ? 0 : Number(after.id) + 1;
      return Array.from({ length: Math.min(limit, count - begin) }, (_, index) => ({
        id: String(begin + index),
        clientRecordId: 1,
        expires: 0,
        revokedAt: first + begin + index,
      }));
    };
    const recent = new RecentRevocations({ ...store.revocations, listTokens: tokens }, clock, most);
    await recent.refresh();
    assert.equal(recent.since(first), undefined);
    assert.equal(recent.since(first + 1)?.tokens.length, most);
  });

  it('are read from shortly before the last read on', async () => {
    const { clock, reads, recent } = start();
    await recent.refresh();
    clock.advance(250);
    await recent.refresh();
    assert.equal(reads.at(-1)?.from, clock.now() - 250 - 10_000);
    clock.advance(20 * minute);
    await recent.refresh();
    assert.equal(reads.at(-1)?.from, clock.now() - 5.5 * minute);
  });

  it('are read again when the clock was set back', async () => {
    const { clock, recent, revoke, idsSince } = start();
    await recent.refresh();
    clock.advance(-60 * minute);
    const id = await revoke();
    await recent.refresh();
    assert.deepEqual(idsSince(clock.now() - minute), [id]);
  });

  it('are not read again as a whole because the clocks of two nodes differ by two seconds', async () => {
    const { clock, reads, recent } = start();
    await recent.refresh();
    clock.advance(-2000);
    await recent.refresh();
    assert.equal(reads.at(-1)?.from, clock.now() + 2000 - 10_000);
    clock.advance(-2001);
    await recent.refresh();
    assert.equal(reads.at(-1)?.from, clock.now() - 5.5 * minute);
  });

  it('share a read that has not begun, and no caller gets one that began before', async () => {
    const { reads, recent, revoke, idsSince, clock } = start();
    const first = recent.refresh();
    await Promise.resolve();
    const id = await revoke();
    await Promise.all([recent.refresh(), recent.refresh(), first]);
    assert.equal(reads.length, 2);
    assert.deepEqual(idsSince(clock.now() - minute), [id]);
  });

  it('have another version after a change, and the same one without', async () => {
    const { recent, revoke } = start();
    await recent.refresh();
    const { version } = recent;
    await recent.refresh();
    assert.equal(recent.version, version);
    await revoke();
    await recent.refresh();
    assert.notEqual(recent.version, version);
  });

  it('have another version when they were read again as a whole, so that whoever waits for a change looks again', async () => {
    const { clock, recent } = start();
    await recent.refresh();
    const { version } = recent;
    clock.advance(20 * minute);
    await recent.refresh();
    assert.notEqual(recent.version, version);
  });

  it('are known further back only as long as they are recent, however often they are read', async () => {
    const { clock, recent, revoke, idsSince } = start();
    await recent.refresh();
    const begin = clock.now();
    const id = await revoke();
    for (let passed = 0; passed < 5; passed += 1) {
      clock.advance(minute);
      await recent.refresh();
      assert.deepEqual(idsSince(begin - 1), [id]);
    }
    clock.advance(minute);
    await recent.refresh();
    assert.equal(idsSince(begin - 1), undefined);
    assert.deepEqual(idsSince(clock.now() - 5 * minute), []);
  });

  it('have one that is committed late after the clock was set back, too', async () => {
    const { clock, recent, revoke, idsSince } = start();
    await recent.refresh();
    clock.advance(-60 * minute);
    await recent.refresh();
    const begin = clock.now();
    clock.advance(minute);
    await recent.refresh();
    const id = await revoke(clock.now() - 59_000);
    clock.advance(5000);
    await recent.refresh();
    assert.deepEqual(idsSince(begin), [id]);
  });

  it('have those of whole clients, each change of which is a change', async () => {
    const { clock, recent, store } = start();
    await recent.refresh();
    const { version } = recent;
    store.putClient(buildClient({ tokensValidFrom: clock.now() }));
    await recent.refresh();
    const since = () => recent.since(clock.now() - minute)?.clients.map(({ clientId }) => clientId);
    assert.deepEqual(since(), ['test-client']);
    assert.equal(recent.version, version + 1);
    await recent.refresh();
    assert.equal(recent.version, version + 1);
    assert.deepEqual(recent.since(clock.now())?.clients, []);
  });

  it('are read again after a read that failed', async () => {
    const { clock, recent, revoke, idsSince, reads } = start();
    await recent.refresh();
    const { push } = reads;
    reads.push = () => {
      throw new Error('the database does not answer');
    };
    const id = await revoke();
    await assert.rejects(recent.refresh(), /does not answer/);
    reads.push = push;
    await recent.refresh();
    assert.deepEqual(idsSince(clock.now() - minute), [id]);
  });
});
