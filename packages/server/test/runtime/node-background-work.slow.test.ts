import assert from 'node:assert/strict';
import { it } from 'node:test';
import { until } from '@watchword/server-testkit/processes/process';
import { startNodes } from '@watchword/server-testkit/servers/nodes';
import { rounds, tokenFactory } from '@watchword/testkit';
import { query, withConnection } from '@watchword/testkit/postgresql';

it('is taken over within 30 seconds from a node that was killed in the middle of it', async () => {
  await using nodes = await startNodes([0], { 'purge.interval': '1', 'purge.retention': '0' });
  const [killed] = nodes.nodes;
  assert.ok(killed);
  const { store } = nodes.service;
  const now = () => store.clock.now();
  const lease = async () => (await store.leases.list()).find(({ name }) => name === 'purge');
  await withConnection(nodes.database, async (client) => {
    await client.query('begin');
    await client.query('lock table access_token in access exclusive mode');
    await until(async () => ((await lease())?.expires ?? 0) > now());
    await killed.kill();
    await client.query('rollback');
  });
  const left = (await lease())?.expires ?? 0;
  assert.ok(left > now() && left <= now() + 30_000);
  const tokens = tokenFactory();
  await store.accessTokens.insert(tokens({ creationDate: now() - 2000, expires: now() - 1000 }));
  // Another process on the same database.
  await killed.start();
  const isQuick = rounds(1, 0) === 1;
  // The soak test waits for the whole lease.
  if (isQuick)
    await query(nodes.database, `update lease set expires = $1 where lease_name = 'purge'`, [now() + 2000]);
  await until(async () => (await lease())?.lastSuccess !== undefined);
  const [row] = await query(nodes.database, 'select count(*)::int as found from access_token');
  assert.equal(row?.found, 0);
});
