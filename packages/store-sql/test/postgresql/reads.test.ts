import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gathered } from '../../src/dialects/postgresql/hot/gathered.ts';
import { lookup } from '../../src/hot/lookup.ts';
import { newFlow, newToken, tokenId } from '../support/hot-commands.ts';
import { sharedNodes } from '../support/postgresql-node.ts';

const openNodes = sharedNodes();

const tokenById = lookup(
  { id: 'id' },
  { id: 'id', scopes: 'text', expires: 'number' },
  () => 'access_token as t where t.id = :id',
);
const grantByOwner = lookup(
  { id: 'id', principal_name: 'text' },
  { creation_date: 'number' },
  () => 'authorization_grant as t where t.id = :id and t.principal_name = :principal_name',
);

describe('lookups on PostgreSQL', () => {
  it('of several kinds find each its row in one round trip', async () => {
    await using database = await openNodes();
    const node = database.node();
    const ids = Array.from({ length: 5 }, tokenId);
    const { grant, issue } = newFlow();
    await node.commit([...ids.map((id) => newToken(id)), issue]);
    const { name } = grant.owner.principal;
    const before = node.roundTrips.length;
    const found = await node.read([
      { lookup: tokenById, parameters: tokenById.parametersOf({ id: ids[3] ?? '' }) },
      { lookup: grantByOwner, parameters: grantByOwner.parametersOf({ id: grant.id, principal_name: name }) },
      { lookup: tokenById, parameters: tokenById.parametersOf({ id: tokenId() }) },
      { lookup: tokenById, parameters: tokenById.parametersOf({ id: ids[0] ?? '' }) },
    ]);
    assert.deepEqual(
      found.map(rowOf).map((row) => row?.id ?? row?.creation_date),
      [ids[3], grant.creationDate, undefined, ids[0]],
    );
    assert.deepEqual(
      node.roundTrips.slice(before).map((texts) => texts.length),
      [2],
    );
  });

  it('find nothing for text that PostgreSQL cannot store', async () => {
    await using database = await openNodes();
    const parameters = grantByOwner.parametersOf({ id: tokenId(), principal_name: 'a\0' });
    assert.deepEqual(await database.node().read([{ lookup: grantByOwner, parameters }]), [undefined]);
  });

  it('do not wait for commits', async () => {
    await using database = await openNodes();
    const node = database.node();
    const id = tokenId();
    await node.commit([newToken(id)]);
    let commits: Promise<unknown> | undefined;
    await database.locked('access_token', async () => {
      commits = Promise.all(Array.from({ length: 10 }, () => node.commit([newToken()])));
      const parameters = tokenById.parametersOf({ id });
      const [found] = await node.read([{ lookup: tokenById, parameters }]);
      assert.equal(rowOf(found)?.id, id);
    });
    await commits;
  });
});

describe('calls that are gathered', () => {
  function setUp() {
    const runs: { readonly items: readonly number[]; readonly end: PromiseWithResolvers<string[]> }[] = [];
    const call = gathered((items: readonly number[]) => {
      const end = Promise.withResolvers<string[]>();
      runs.push({ items, end });
      return end.promise;
    }, 1);
    const items = () => runs.map((run) => run.items);
    return { runs, call, items };
  }

  it('run together when one under way has ended, and each gets its own results', async () => {
    const { runs, call, items } = setUp();
    const first = call([1]);
    const later = Promise.all([call([2, 3]), call([4])]);
    assert.deepEqual(items(), [[1]]);
    runs[0]?.end.resolve(['one']);
    assert.deepEqual(await first, ['one']);
    assert.deepEqual(items(), [[1], [2, 3, 4]]);
    runs[1]?.end.resolve(['two', 'three', 'four']);
    assert.deepEqual(await later, [['two', 'three'], ['four']]);
  });

  it('go on after an error, which those that ran together get', async () => {
    const { runs, call } = setUp();
    const first = call([1]);
    const second = call([2]);
    runs[0]?.end.reject(new Error('no'));
    await assert.rejects(first, /no/);
    runs[1]?.end.resolve(['two']);
    assert.deepEqual(await second, ['two']);
  });
});

function rowOf<Row>(found: Row | Error): Row {
  if (found instanceof Error) throw found;
  return found;
}
