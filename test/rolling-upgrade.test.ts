import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@watchword/server-testkit/process';
import { query } from '@watchword/testkit/postgresql';
import type { BundledProgram } from './runner/bundled-program.ts';
import { expanding, nextVersion, noKey } from './support/next-version.ts';
import { migratedBy, startUpgradedNodes, type UpgradedNodes } from './support/upgraded-nodes.ts';

/** The tests are the steps of one upgrade, in their order. Users and applications go on all the time. */
describe('an upgrade of the nodes one after the other', () => {
  const resources = new AsyncDisposableStack();
  let next: BundledProgram;
  let upgraded: UpgradedNodes;
  before(async () => {
    next = resources.use(await nextVersion());
    upgraded = resources.use(await startUpgradedNodes());
  });
  after(() => resources.disposeAsync());

  it('goes on with a node of the next version, which applies its expanding migration', async () => {
    const { nodes, load, balancer, ports } = upgraded;
    const node = await upgraded.start(next.bin);
    assert.equal(migratedBy(node), `"${expanding}"`);
    balancer.servers = ports();
    await load.progress();
    for (const { log } of nodes) await until(() => log().includes('"route":"/oauth2/token"'));
    await upgraded.crossing(ports());
    await upgraded.crossing(ports().toReversed());
    const rows = await query(upgraded.database, 'select distinct bound_key from access_token order by 1');
    assert.deepEqual(
      rows.map(({ bound_key }) => bound_key),
      ['', noKey],
    );
    assert.deepEqual(load.failures, []);
  });

  it('ends the node of this version without the loss of a request', async () => {
    const [old] = upgraded.nodes;
    upgraded.balancer.servers = upgraded.ports().slice(1);
    assert.equal(await old?.end('SIGTERM'), 0);
    await upgraded.load.progress();
    assert.deepEqual(upgraded.load.failures, []);
  });

  it('loses no login, no refresh and no token', async () => {
    await upgraded.assertNothingLost({ logins: 10, refreshes: 20, revocations: 5 });
  });
});
