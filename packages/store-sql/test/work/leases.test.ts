import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedDatabase } from '../support/shared-database.ts';
import { testDatabase } from '../support/test-database.ts';

const duration = 30_000;
const emptiedDatabase = sharedDatabase();

describe('a lease', () => {
  it('has one holder until it expires, and then the next', async () => {
    await using database = await emptiedDatabase();
    const { leases } = await database.openServer();
    const take = (holder: string, now: number) => leases.take('purge', holder, now, duration);
    assert.ok(await take('a', 1000));
    assert.ok(!(await take('b', 1000 + duration - 1)));
    assert.ok(await take('b', 1000 + duration));
    assert.ok(!(await take('a', 1000 + duration)));
  });

  it('is renewed by its holder only', async () => {
    await using database = await emptiedDatabase();
    const { leases } = await database.openServer();
    const take = (holder: string, now: number) => leases.take('purge', holder, now, duration);
    for (const now of [0, 20_000, 40_000]) assert.ok(await take('a', now));
    assert.ok(!(await take('b', 60_000)));
    assert.ok(await take('b', 70_000));
  });

  it('is free after its holder has released it, and no other process can release it', async () => {
    await using database = await emptiedDatabase();
    const { leases } = await database.openServer();
    await leases.take('purge', 'a', 0, duration);
    await leases.release('purge', 'b');
    assert.ok(!(await leases.take('purge', 'b', 1, duration)));
    await leases.release('purge', 'a');
    assert.ok(await leases.take('purge', 'b', 1, duration));
  });

  it('from a clock that was far ahead is taken over', async () => {
    await using database = await emptiedDatabase();
    const { leases } = await database.openServer();
    await leases.take('purge', 'a', 1_000_000_000, duration);
    assert.ok(await leases.take('purge', 'b', 1000, duration));
  });

  it('from a clock that is ahead by two seconds is left to its holder', async () => {
    await using database = await emptiedDatabase();
    const { leases } = await database.openServer();
    await leases.take('purge', 'a', 3000, duration);
    assert.ok(!(await leases.take('purge', 'b', 1000, duration)));
  });

  it('is independent of the leases of other names', async () => {
    await using database = await emptiedDatabase();
    const { leases } = await database.openServer();
    assert.ok(await leases.take('purge', 'a', 0, duration));
    assert.ok(await leases.take('key-rotation', 'b', 0, duration));
  });

  it('is taken by one of many processes at once', async () => {
    await using database = await testDatabase();
    const stores = [await database.openServer(), await database.openTool(), await database.openTool()];
    const taken = await Promise.all(
      stores.flatMap(({ leases }, process) =>
        Array.from({ length: 5 }, (_, index) => leases.take('purge', `${process}/${index}`, 0, duration)),
      ),
    );
    assert.equal(taken.filter(Boolean).length, 1);
  });
});
