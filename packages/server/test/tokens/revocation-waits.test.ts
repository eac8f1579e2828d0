import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PolledRevocationWaits } from '../../src/runtime/revocation-waits.ts';

interface Server {
  readonly id: number;
  readonly owner: string;
  readonly ownerAuthority: string;
}

/** Waits with few places. Each request is named by the letter of its owner and a number. */
function start() {
  const waits = new PolledRevocationWaits(async () => {}, { ofResourceServer: 3, all: 4 });
  const ended: string[] = [];
  return {
    ended,
    size: () => waits.size,
    async wait(name: string, server: Partial<Server> = {}) {
      const id = name.charCodeAt(0);
      const full = { id, owner: name.slice(0, 1), ownerAuthority: 'password', ...server };
      void waits
        .forChange(full, () => false, Number.POSITIVE_INFINITY)
        .then((isChanged) => ended.push(isChanged ? `${name}!` : name));
      await Promise.resolve();
    },
    [Symbol.dispose]: () => waits.close(),
  };
}

describe('the waiting places of the revocation feed', () => {
  it('are for one owner while nobody else asks, with a limit for each resource server', async () => {
    using test = start();
    for (const name of ['a1', 'a2', 'a3', 'a4']) await test.wait(name);
    assert.deepEqual(test.ended, ['a4']);
    await test.wait('a5', { id: 1 });
    assert.deepEqual(test.ended, ['a4']);
    await test.wait('a6', { id: 2 });
    assert.deepEqual(test.ended, ['a4', 'a6']);
    assert.equal(test.size(), 4);
  });

  it('are shared equally by owners when all are taken: the oldest wait of the owner with the most ends', async () => {
    using test = start();
    for (const id of [1, 2, 3, 4]) await test.wait(`a${id}`, { id });
    await test.wait('b1');
    assert.deepEqual(test.ended, ['a1']);
    await test.wait('b2');
    assert.deepEqual(test.ended, ['a1', 'a2']);
    // Two each: one more of either would take it from the other.
    await test.wait('b3');
    await test.wait('a5', { id: 5 });
    assert.deepEqual(test.ended, ['a1', 'a2', 'b3', 'a5']);
    await test.wait('c1');
    assert.deepEqual(test.ended, ['a1', 'a2', 'b3', 'a5', 'a3']);
    // Two for one owner and one for the others: another one would only turn that round.
    await test.wait('c2');
    assert.deepEqual(test.ended, ['a1', 'a2', 'b3', 'a5', 'a3', 'c2']);
    assert.equal(test.size(), 4);
  });

  it('are of another owner for the same name at another identity provider', async () => {
    using test = start();
    for (const id of [1, 2, 3, 4]) await test.wait(`a${id}`, { id });
    await test.wait('a5', { id: 5, ownerAuthority: 'saml' });
    assert.deepEqual(test.ended, ['a1']);
  });

  it('are free again when their waits have ended', async () => {
    const test = start();
    for (const id of [1, 2, 3, 4]) await test.wait(`a${id}`, { id });
    test[Symbol.dispose]();
    await Promise.resolve();
    assert.equal(test.size(), 0);
    assert.deepEqual(test.ended, ['a1', 'a2', 'a3', 'a4']);
    await test.wait('a5');
    assert.deepEqual(test.ended.at(-1), 'a5');
  });
});
