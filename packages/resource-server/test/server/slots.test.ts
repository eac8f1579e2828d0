import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maxRunning, Slots } from '../../src/lookup/lookup.ts';
import { FakeSystem } from '../support/fake-system.ts';

async function fullSlots() {
  const system = new FakeSystem();
  const slots = new Slots(system);
  const held: (() => void)[] = [];
  while (held.length < maxRunning) held.push(await slots.take(1000, 5000));
  return { system, slots, held };
}

const overloaded = { name: 'AuthorizationServerUnavailable', reason: 'overloaded' };

describe('the slots of lookups', () => {
  it('go to the waiting callers, in the order of their requests', async () => {
    const { slots, held } = await fullSlots();
    const order: number[] = [];
    const waiting = [0, 1, 2].map(async (index) => {
      const giveBack = await slots.take(1000, 5000);
      order.push(index);
      giveBack();
    });
    assert.deepEqual(order, []);
    held[0]?.();
    await Promise.all(waiting);
    assert.deepEqual(order, [0, 1, 2]);
  });

  it('are denied to a caller that waited too long, which then blocks no other caller', async () => {
    const { system, slots, held } = await fullSlots();
    const tooLong = slots.take(1000, 5000);
    const refused = assert.rejects(tooLong, overloaded);
    await system.timersSet(1);
    system.advance(1000);
    await refused;
    const next = slots.take(1000, 5000);
    held[0]?.();
    (await next)();
  });

  it('are denied at once when ten thousand callers wait', async () => {
    const { slots, held } = await fullSlots();
    const waiting = Array.from({ length: 10_000 }, () => slots.take(1000, 5000));
    await assert.rejects(slots.take(1000, 5000), overloaded);
    for (const giveBack of held) giveBack();
    for (const wait of waiting) (await wait)();
  });

  it('released twice are free once', async () => {
    const { slots, held } = await fullSlots();
    held[0]?.();
    held[0]?.();
    await slots.take(1000, 5000);
    let got = false;
    const waiting = slots.take(1000, 5000).then(() => {
      got = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!got);
    held[1]?.();
    await waiting;
  });

  it('that were not released are free again after the longest time', async () => {
    const { system, slots } = await fullSlots();
    const earlier = slots.take(6000, 5000);
    system.advance(5000);
    await slots.take(1000, 5000);
    // Whoever waited for one does not wait on.
    await earlier;
  });
});
