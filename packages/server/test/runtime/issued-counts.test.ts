import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, memoryStore } from '@watchword/testkit';
import { IssuedCounts } from '../../src/runtime/work/issued-counts.ts';
import { NotedSecretUses } from '../../src/runtime/work/noted-secret-uses.ts';

const hour = 3_600_000;

function counting() {
  const { statistics } = memoryStore();
  const clock = new FakeClock();
  const counts = new IssuedCounts(statistics, clock);
  const start = Math.floor(clock.now() / hour);
  const stored = async () =>
    (await statistics.issued({ from: 0, until: start + 99 })).map(
      (sum) => `${sum.hour - start} ${sum.grantType} ${sum.tokens}`,
    );
  return { statistics, clock, counts, stored };
}

describe('counts of issued tokens', () => {
  it('are stored when they are flushed, each once', async () => {
    const { counts, clock, stored } = counting();
    counts.tokenIssued('implicit', 1);
    counts.tokenIssued('implicit', 1);
    counts.tokenIssued('implicit', 2);
    counts.tokenIssued('refresh_token', 1);
    clock.advance(hour);
    counts.tokenIssued('implicit', 1);
    assert.deepEqual(await stored(), []);
    await counts.flush();
    const expected = ['0 implicit 3', '0 refresh_token 1', '1 implicit 1'];
    assert.deepEqual(await stored(), expected);
    await counts.flush();
    assert.deepEqual(await stored(), expected);
    counts.tokenIssued('implicit', 1);
    await Promise.all([counts.flush(), counts.flush()]);
    assert.deepEqual((await stored()).at(-1), '1 implicit 2');
  });

  it('that cannot be stored are kept, and none is counted twice', async (t) => {
    const { counts, clock, stored, statistics } = counting();
    counts.tokenIssued('implicit', 1);
    const refused = t.mock.method(statistics, 'addIssued', async () => {
      throw new Error('no');
    });
    await assert.rejects(counts.flush(), /no/);
    counts.tokenIssued('implicit', 1);
    clock.advance(hour);
    counts.tokenIssued('implicit', 1);
    await assert.rejects(counts.flush(), /no/);
    refused.mock.restore();
    await counts.flush();
    assert.deepEqual(await stored(), ['0 implicit 2', '1 implicit 1']);
  });

  it('of many clients are stored a thousand at a time, so that tokens are committed in between', async (t) => {
    const { counts, stored, statistics } = counting();
    for (let client = 1; client <= 2500; client += 1) counts.tokenIssued('implicit', client);
    const add = t.mock.method(statistics, 'addIssued');
    add.mock.mockImplementationOnce(() => Promise.reject(new Error('no')), 1);
    await assert.rejects(counts.flush(), /no/);
    assert.deepEqual(await stored(), ['0 implicit 1000']);
    await counts.flush();
    assert.deepEqual(await stored(), ['0 implicit 2500']);
    assert.deepEqual(
      add.mock.calls.map(({ arguments: [given] }) => given.length),
      [1000, 1000, 1000, 500],
    );
  });

  it('that are made while others are being stored are not lost', async (t) => {
    const { counts, stored, statistics } = counting();
    const add = statistics.addIssued;
    t.mock.method(statistics, 'addIssued', async (given: Parameters<typeof add>[0]) => {
      counts.tokenIssued('later', 1);
      await add(given);
    });
    counts.tokenIssued('implicit', 1);
    await counts.flush();
    await counts.flush();
    assert.deepEqual(await stored(), ['0 implicit 1', '0 later 1']);
  });
});

describe('the uses of secrets', () => {
  it('are stored with the last time of each, a thousand at a time, and kept where they cannot be', async (t) => {
    const { statistics } = memoryStore();
    const uses = new NotedSecretUses(statistics);
    const note = t.mock.method(statistics, 'noteSecretUses');
    for (let client = 1; client <= 1500; client += 1) uses.secretUsed(client, 1, 5000);
    uses.secretUsed(1, 2, 6000);
    uses.secretUsed(1, 1, 7000);
    uses.secretUsed(1, 1, 7001);
    note.mock.mockImplementationOnce(() => Promise.reject(new Error('no')), 1);
    await assert.rejects(uses.flush(), /no/);
    uses.secretUsed(1, 1, 8000);
    await uses.flush();
    assert.deepEqual(
      [...(await statistics.secretUses(1))].toSorted(([a], [b]) => a - b),
      [
        [1, 8000],
        [2, 6000],
      ],
    );
    for (const client of [2, 1499, 1500])
      assert.deepEqual([...(await statistics.secretUses(client))], [[1, 5000]]);
    assert.ok(note.mock.calls.every(({ arguments: [stored] }) => stored.length <= 1000));
    const { length } = note.mock.calls;
    await uses.flush();
    assert.equal(note.mock.calls.length, length, 'nothing is stored twice');
  });
});
