import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FakeClock, memoryStore, seededRandom } from '@watchword/testkit';
import { KeyRing, newSealingKey } from '../../src/keys/key-ring.ts';
import type { SealingKey } from '../../src/ports/stores/key-stores.ts';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** Nodes on one database, with one clock. */
function nodes() {
  const { sealingKeys } = memoryStore();
  const clock = new FakeClock();
  let seed = 0;
  const open = () => {
    seed += 1;
    return KeyRing.open({ sealingKeys, clock, random: seededRandom(`node ${seed}`) });
  };
  const reads = { count: 0 };
  const list = sealingKeys.list.bind(sealingKeys);
  sealingKeys.list = () => {
    reads.count += 1;
    return list();
  };
  return { clock, open, reads };
}

function keyOf(sealed: string): string {
  return sealed.slice(0, sealed.indexOf('.'));
}

describe('a key ring', () => {
  it('opens what another node sealed, also one that started at the same time', async () => {
    const { open } = nodes();
    const [one, two] = await Promise.all([open(), open()]);
    assert.equal(await two.open('login', one.seal('login', 'x')), 'x');
    assert.equal(await one.open('login', two.seal('login', 'y')), 'y');
  });

  it('of a tool seals with the keys of the nodes, and makes none', async () => {
    const { sealingKeys } = memoryStore();
    const deps = { sealingKeys, clock: new FakeClock(), random: seededRandom('tool') };
    const early = await KeyRing.openExisting(deps);
    assert.throws(() => early.seal('login', 'x'), /there is no sealing key/);
    assert.deepEqual(await sealingKeys.list(), []);
    const node = await KeyRing.open(deps);
    const tool = await KeyRing.openExisting(deps);
    assert.equal(await node.open('login', tool.seal('login', 'x')), 'x');
    assert.equal((await sealingKeys.list()).length, 1);
  });

  it('seals with a new key only after every node has had five minutes to read it', async () => {
    const { clock, open } = nodes();
    const [one, two] = [await open(), await open()];
    const before = keyOf(one.seal('login', 'x'));
    clock.advance(day);
    await one.rotate();
    assert.equal(keyOf(one.seal('login', 'x')), before);
    clock.advance(4 * minute);
    await two.read();
    await one.read();
    assert.equal(keyOf(one.seal('login', 'x')), before);
    clock.advance(minute);
    await one.read();
    const sealed = one.seal('login', 'x');
    assert.notEqual(keyOf(sealed), before);
    assert.equal(await two.open('login', sealed), 'x');
  });

  it('does not read the keys again for a text with a key that it knows', async () => {
    const { clock, open, reads } = nodes();
    const [one, two] = [await open(), await open()];
    clock.advance(day);
    await one.rotate();
    await two.read();
    clock.advance(5 * minute);
    await one.read();
    const before = reads.count;
    assert.equal(await two.open('login', one.seal('login', 'x')), 'x');
    assert.equal(reads.count, before);
  });

  it('reads the keys at most once a second for texts with keys that nobody knows', async () => {
    const { clock, open, reads } = nodes();
    const ring = await open();
    const before = reads.count;
    for (let text = 0; text < 10; text += 1)
      assert.equal(await ring.open('login', `unknown${text}.AAAA`), undefined);
    assert.equal(reads.count, before + 1);
    clock.advance(second);
    await ring.open('login', 'unknown.AAAA');
    assert.equal(reads.count, before + 2);
  });

  it('reads no keys for a text that names none', async () => {
    const { open, reads } = nodes();
    const ring = await open();
    const before = reads.count;
    for (const text of ['', 'x', '.AAAA', 'key.', `${'k'.repeat(33)}.AAAA`]) {
      assert.equal(await ring.open('login', text), undefined, text);
    }
    assert.equal(reads.count, before);
  });

  it('waits for the keys that it reads for a text, also those who come meanwhile', async () => {
    const { sealingKeys } = memoryStore();
    const clock = new FakeClock();
    const node = (name: string) => KeyRing.open({ sealingKeys, clock, random: seededRandom(name) });
    const one = await node('one');
    clock.advance(2 * day);
    const two = await node('two');
    await two.rotate();
    clock.advance(5 * minute);
    await two.read();
    const sealed = two.seal('login', 'x');
    assert.notEqual(keyOf(sealed), keyOf(one.seal('login', 'x')));
    const list = sealingKeys.list.bind(sealingKeys);
    sealingKeys.list = () => setImmediate().then(list);
    assert.deepEqual(await Promise.all([one.open('login', sealed), one.open('login', sealed)]), ['x', 'x']);
  });

  it('does not take keys from a slow read that were renewed meanwhile', async () => {
    const { sealingKeys, transact } = memoryStore();
    const clock = new FakeClock();
    const random = seededRandom('node');
    const ring = await KeyRing.open({ sealingKeys, clock, random });
    const sealed = ring.seal('login', 'x');
    const list = sealingKeys.list.bind(sealingKeys);
    const old = await list();
    const { promise, resolve } = Promise.withResolvers<SealingKey[]>();
    sealingKeys.list = () => promise;
    const slow = ring.read();
    const renewed = newSealingKey(random, clock.now());
    await transact(({ keyRenewal }) => keyRenewal.renew(renewed, new Uint8Array(32)));
    sealingKeys.list = list;
    await ring.read();
    resolve(old);
    await slow;
    assert.equal(await ring.open('login', sealed), undefined);
    assert.equal(await ring.open('login', ring.seal('login', 'y')), 'y');
  });

  it('makes one key a day, and opens what the key before sealed for one day more', async () => {
    const { clock, open } = nodes();
    const ring = await open();
    const sealed = ring.seal('login', 'x');
    clock.advance(day - 1);
    await ring.rotate();
    assert.equal(keyOf(ring.seal('login', 'y')), keyOf(sealed));
    clock.advance(1);
    await ring.rotate();
    clock.advance(day);
    await ring.rotate();
    assert.equal(await ring.open('login', sealed), 'x');
    clock.advance(day);
    await ring.rotate();
    assert.equal(await ring.open('login', sealed), undefined);
  });

  it('makes no other key within the day, at any node', async () => {
    const { sealingKeys } = memoryStore();
    const clock = new FakeClock();
    const node = (name: string) => KeyRing.open({ sealingKeys, clock, random: seededRandom(name) });
    const ring = await node('one');
    clock.advance(day - 1);
    await ring.rotate();
    await node('two');
    assert.equal((await sealingKeys.list()).length, 1);
    clock.advance(1);
    await ring.rotate();
    assert.equal((await sealingKeys.list()).length, 2);
  });

  it('opens nothing that another node sealed if any character is added', async () => {
    const { open } = nodes();
    const [one, two] = [await open(), await open()];
    const sealed = one.seal('login', 'x');
    for (const changed of [`!${sealed}`, `${sealed}!`, `${sealed}=`, `${sealed}\n`, ` ${sealed}`]) {
      assert.equal(await two.open('login', changed), undefined, JSON.stringify(changed));
    }
  });

  it('opens what it sealed itself as often as what another node sealed', async () => {
    const { open } = nodes();
    const [one, two] = [await open(), await open()];
    for (const sealed of [one.seal('login', 'x'), two.seal('login', 'x')]) {
      for (let time = 0; time < 3; time += 1) assert.equal(await one.open('login', sealed), 'x');
    }
  });

  it('opens nothing that it sealed itself for another purpose, or that was changed', async () => {
    const { open } = nodes();
    const ring = await open();
    const sealed = ring.seal('login', 'x');
    assert.equal(await ring.open('consent', sealed), undefined);
    for (const changed of [`${sealed}A`, sealed.slice(0, -1), `A${sealed}`, sealed.replace('.', '.A')]) {
      assert.equal(await ring.open('login', changed), undefined, changed);
    }
    assert.equal(await ring.open('login', sealed), 'x');
  });

  it('opens nothing that it sealed itself with a key that was removed since', async () => {
    const { sealingKeys } = memoryStore();
    const deps = { sealingKeys, clock: new FakeClock(), random: seededRandom('node') };
    const ring = await KeyRing.open(deps);
    const sealed = ring.seal('login', 'x');
    sealingKeys.list = async () => [];
    await ring.read();
    assert.equal(await ring.open('login', sealed), undefined);
  });
});
