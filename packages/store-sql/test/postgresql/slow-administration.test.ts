import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, tokenFactory } from '@watchword/testkit';
import { openTransaction, query } from '@watchword/testkit/postgresql';
import { openServerStore } from '../../src/index.ts';
import { postgresqlNodes } from '../support/postgresql-node.ts';

describe('administration that needs all of its connections', () => {
  it('delays no login and no token', async () => {
    await using database = await postgresqlNodes();
    const store = await openServerStore({
      database: database.url,
      clock: new FakeClock(),
      postgresql: { otherConnections: 1, lockTimeout: 30_000 },
    });
    const lock = await openTransaction(database.url, 'lock table audit_event in access exclusive mode');
    const list = store.auditEvents.list({ limit: 1 });
    await query(
      database.url,
      `do $$ begin
        while not exists (select 1 from pg_locks where not granted and relation = 'audit_event'::regclass)
        loop perform pg_sleep(0.01); end loop; end $$`,
    );
    const { oneTime, sessionLinks } = store;
    assert.ok(await oneTime.put('assertion', 'value', 9));
    assert.equal(await oneTime.take('assertion', 1), 'value');
    await sessionLinks.insert({ sessionId: 's', key: 'k', data: '', expires: 9 });
    await sessionLinks.delete('s');
    assert.ok(!(await store.accounts.replaceHash('emma', 'old', 'new')));
    await store.accessTokens.insert(tokenFactory()());
    assert.equal(store.connections?.().other?.busy, 1, 'the list still waits');
    await lock[Symbol.asyncDispose]();
    assert.deepEqual(await list, []);
    await store.close();
  });
});
