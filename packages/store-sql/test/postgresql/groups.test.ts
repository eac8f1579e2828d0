import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { openTransaction, withConnection } from '@watchword/testkit/postgresql';
import { tcpProxy } from '@watchword/testkit/tcp-proxy';
import { add, type Command, commandOf } from '../../src/hot/command.ts';
import { statements } from '../../src/hot/statements.ts';
import { newFlow, newToken, tokenId } from '../support/hot-commands.ts';
import { postgresqlNodes, sharedNodes } from '../support/postgresql-node.ts';

const openNodes = sharedNodes();

function inserted(key: string, failures = 1): Command {
  return commandOf(statements.insertAttempts, { attempt_key: key, failures, counted_at: 1, expires: 2 });
}

const untilOneWaits = `do $$ begin
  while not exists (select 1 from pg_locks where not granted) loop perform pg_sleep(0.01); end loop; end $$`;

describe('a group of writes on PostgreSQL', () => {
  it('is one round trip, with one statement for the commands of a form', async () => {
    await using database = await openNodes();
    const node = database.node();
    const flows = [newFlow(), newFlow()];
    const group = [newToken(), ...flows.map(({ issue }) => issue), newToken()];
    assert.deepEqual(await node.commit(group), [0, 1, 1, 0]);
    assert.deepEqual(await node.commit(flows.map(({ redemption }) => redemption())), [1, 1]);
    assert.deepEqual(
      node.roundTrips.map((texts) => texts.length),
      [2, 1],
    );
    assert.deepEqual(await database.sql('select id from access_token').then(({ length }) => length), 4);
  });

  it('redeems a code once, and stores the tokens of that redemption only', async () => {
    await using database = await openNodes();
    const node = database.node();
    const [flow, other] = [newFlow(), newFlow()];
    await node.commit([flow.issue, other.issue]);
    const group = [flow.redemption(), flow.redemption(), other.redemption(), flow.redemption()];
    assert.deepEqual(await node.commit(group), [1, 0, 1, 0]);
    for (const table of ['access_token', 'refresh_token']) {
      assert.equal((await database.sql(`select id from ${table}`)).length, 2, table);
    }
  });

  it('redeems each code once when two nodes redeem the same ones in other orders', async () => {
    await using database = await openNodes();
    const nodes = [database.node(), database.node()];
    for (let round = 0; round < 10; round += 1) {
      const flows = Array.from({ length: 12 }, newFlow);
      await nodes[0]?.commit(flows.map(({ issue }) => issue));
      const [one = [], other = []] = await Promise.all(
        nodes.map((node, index) => {
          const order = index === 0 ? flows : flows.toReversed();
          return node.commit(order.map(({ redemption }) => redemption()));
        }),
      );
      assert.deepEqual(
        one.map((result, index) => Number(result) + Number(other.at(-1 - index))),
        flows.map(() => 1),
      );
    }
    assert.equal((await database.sql('select id from access_token')).length, 120);
  });

  it('is sent once when it waits for another writer, whatever isolation level the database has by default', async () => {
    await using database = await postgresqlNodes();
    const name = new URL(database.url).pathname.slice(1);
    await database.sql(`alter database ${name} set default_transaction_isolation = serializable`);
    const node = database.node();
    const { grant, issue } = newFlow();
    await node.commit([issue]);
    await withConnection(database.url, async (other) => {
      await other.query('begin; update authorization_grant set last_used = 1');
      const group = node.commit([
        commandOf(statements.useGrant, { id: grant.id, now: 5, expires: 9 }),
        newToken(),
      ]);
      await other.query(untilOneWaits);
      await other.query('commit');
      assert.deepEqual(await group, [0, 0]);
    });
    assert.equal(node.roundTrips.length, 2);
  });

  it('applies every change of one row', async () => {
    await using database = await openNodes();
    const node = database.node();
    const { code, grant, issue } = newFlow();
    await node.commit([issue]);
    const failure = () => commandOf(statements.recordCodeFailure, { id: code.id });
    const use = (now: number) => commandOf(statements.useGrant, { id: grant.id, now, expires: now * 2 });
    const [now, expires] = [grant.creationDate, grant.creationDate * 2];
    await node.commit([failure(), use(now + 5), failure(), use(now + 9), use(now + 1), failure()]);
    assert.deepEqual(await database.sql('select failures from authorization_code'), [{ failures: 3 }]);
    assert.deepEqual(await database.sql('select last_used, expires from authorization_grant'), [
      { last_used: now + 9, expires: expires + 18 },
    ]);
  });

  it('commits the other commands when one fails', async () => {
    await using database = await openNodes();
    const node = database.node();
    const twice = tokenId();
    await node.commit([newToken(twice)]);
    const results = await node.commit([
      newToken(),
      newToken(twice),
      newToken(tokenId(), 'not stored: \0'),
      newToken(),
    ]);
    assert.deepEqual([results[0], results[3]], [0, 0]);
    assert.match(String(results[1]), /duplicate key/);
    assert.match(String(results[2]), /U\+0000/);
    assert.equal((await database.sql('select id from access_token')).length, 3);
  });

  it('runs again after a deadlock', async () => {
    await using database = await openNodes();
    const node = database.node();
    const flows = [newFlow(), newFlow()].sort((a, b) => (a.grant.id < b.grant.id ? -1 : 1));
    await node.commit(flows.map(({ issue }) => issue));
    const use = (index: number) =>
      `update authorization_grant set last_used = 0 where id = '\\x${flows[index]?.grant.id.replaceAll('-', '')}'`;
    await withConnection(database.url, async (other) => {
      // The node finds the deadlock, so its transaction is the one that is rolled back.
      await other.query("set deadlock_timeout = '1min'");
      await other.query('begin');
      await other.query(use(1));
      const group = node.commit(
        flows.map(({ grant }) => commandOf(statements.revokeGrant, { id: grant.id, now: 5 })),
      );
      await other.query(untilOneWaits);
      await other.query(use(0));
      await other.query('commit');
      assert.deepEqual(await group, [1, 1]);
    });
    assert.deepEqual(await database.sql('select revoked_at from authorization_grant'), [
      { revoked_at: 5 },
      { revoked_at: 5 },
    ]);
  });

  it('waits for a locked row once, and not once for each command that needs it', async () => {
    await using database = await openNodes();
    const node = database.node();
    const flows = Array.from({ length: 3 }, newFlow);
    await node.commit(flows.map(({ issue }) => issue));
    await using _ = await openTransaction(database.url, 'select 1 from authorization_grant for update');
    const uses = flows.map(({ grant }) =>
      commandOf(statements.useGrant, { id: grant.id, now: 5, expires: 9 }),
    );
    const results = await node.commit([...uses, newToken()]);
    for (const result of results.slice(0, -1)) assert.match(String(result), /lock timeout \(55P03\)/);
    assert.equal(results.at(-1), 0);
    const tried = node.roundTrips.filter(([first]) => first !== 'rollback');
    const waits = tried.map((texts) => texts.some((text) => text.includes('lock_timeout')));
    // The issue, the group, and each command with a short wait.
    assert.deepEqual(waits, [false, false, true, true, true, true]);
  });

  it('is neither acknowledged nor sent again when the connection is lost before its answer', async () => {
    await using database = await openNodes();
    await using proxy = await tcpProxy({ port: Number(new URL(database.url).port) });
    const node = database.node(proxy.url(database.url));
    await node.commit([newToken()]);
    proxy.hold('answers');
    const group = node.commit([newToken(), newToken()]);
    await proxy.held('answers');
    proxy.cut();
    proxy.release();
    await assert.rejects(group, StoreUnavailableError);
    assert.equal(node.roundTrips.length, 2);
    assert.equal((await database.sql('select id from access_token')).length, 3);
    assert.deepEqual(await node.commit([newToken()]), [0]);
  });
});

describe('a command of which several statements decide', () => {
  it('changes all rows or none', async () => {
    await using database = await openNodes();
    const node = database.node();
    const both = (one: string, other: string) => [...inserted(one), ...inserted(other)];
    const group = [both('a', 'b'), newToken(), both('c', 'd')];
    assert.deepEqual(await node.commit(group), [1, 0, 1]);
    assert.deepEqual(await node.commit([both('e', 'a'), newToken(), both('f', 'g')]), [0, 0, 1]);
    const keys = await database.sql('select attempt_key from login_attempt order by 1');
    assert.equal(keys.map(({ attempt_key }) => attempt_key).join(''), 'abcdfg');
  });

  it('decides for one of many nodes', async () => {
    await using database = await openNodes();
    const nodes = [database.node(), database.node(), database.node()];
    for (let round = 0; round < 20; round += 1) {
      const results = await Promise.all(
        nodes.map(({ commit }, index) => {
          const command = inserted(`a ${round}`, index);
          for (const part of inserted(`b ${round}`, index)) command.push(part);
          return commit([command]);
        }),
      );
      assert.deepEqual(results.flat().sort(), [0, 0, 1]);
      const found = await database.sql(
        `select distinct failures from login_attempt where attempt_key like '% ${round}'`,
      );
      assert.equal(found.length, 1);
    }
  });
});

describe('the grant of deleted tokens', () => {
  const deletion = (id: string) => {
    const command = commandOf(statements.revokeGrantOfLastToken, { except_id: id, valid_from: 0 });
    add(command, statements.deleteAccessToken, { id });
    return command;
  };

  it('is revoked when its last tokens are deleted at the same time, in a group and by two nodes', async () => {
    await using database = await openNodes();
    const nodes = [database.node(), database.node()] as const;
    for (let round = 0; round < 10; round += 1) {
      const { issue, tokens } = newFlow().endless();
      await nodes[0].commit([issue]);
      const deletions = tokens.map(deletion);
      if (round === 0) assert.deepEqual(await nodes[0].commit(deletions), [1, 1]);
      else await Promise.all(deletions.map((command, index) => nodes[index]?.commit([command])));
    }
    assert.deepEqual(await database.sql('select id from authorization_grant where revoked_at is null'), []);
  });
});
