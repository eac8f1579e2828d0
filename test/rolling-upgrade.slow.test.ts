import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until, watchword } from '@watchword/server-testkit/processes/process';
import { startServer } from '@watchword/server-testkit/servers/server';
import { query } from '@watchword/testkit/postgresql';
import type { BundledProgram } from './runner/bundled-program.ts';
import { contracting, expanding, nextVersion, noKey, versionAfterNext } from './support/next-version.ts';
import { runNode } from './support/run-node.ts';
import { migratedBy, startUpgradedNodes, type UpgradedNodes } from './support/upgraded-nodes.ts';

/** The tests are the steps of one upgrade, in their order. Users and applications go on all the time. */
describe('an upgrade of the nodes to the next version, and to the one after', () => {
  const resources = new AsyncDisposableStack();
  let upgraded: UpgradedNodes;
  let next: BundledProgram;
  let newest: BundledProgram;
  before(async () => {
    next = resources.use(await nextVersion());
    newest = resources.use(await versionAfterNext());
    upgraded = resources.use(await startUpgradedNodes());
  });
  after(() => resources.disposeAsync());

  const migrate = ({ bin }: BundledProgram, flag: string) =>
    runNode([bin, 'migrate', flag, '--database', upgraded.database], '.');

  it('begins with a check that says that the nodes of this version can go on', async () => {
    assert.match(
      await migrate(next, '--check'),
      new RegExp(`older releases can go on\\..*\n  ${expanding} adds the key of bound access tokens\n$`),
    );
  });

  it('starts a node of this version again, if it must, which applies nothing', async () => {
    const { database, baseUrl, balancer, load, ports } = upgraded;
    assert.equal(migratedBy(await upgraded.start(next.bin)), `"${expanding}"`);
    const { stdout } = await watchword(['migrate', '--check', '--database', database]);
    assert.match(stdout, new RegExp(`newer release: ${expanding}. This release can go on with it`));
    await using again = await startServer({ database, baseUrl });
    assert.deepEqual(again.service.store.migrated, []);
    balancer.servers = [...ports(), again.port];
    await load.progress();
    balancer.servers = ports();
    assert.deepEqual(load.failures, []);
  });

  it('does not apply a contracting migration of the version after, whose nodes work without it', async () => {
    const { nodes, load, balancer, ports } = upgraded;
    assert.equal(migratedBy(await upgraded.start(newest.bin)), '');
    balancer.servers = ports().slice(1);
    assert.equal(await nodes[0]?.end('SIGTERM'), 0);
    assert.match(
      await migrate(newest, '--check'),
      new RegExp(
        `not know ${expanding} can go on only until "watchword migrate --finish".*\n  ${contracting} `,
      ),
    );
    await load.progress();
    assert.deepEqual(load.failures, []);
  });

  it('applies it by migrate --finish, and goes on with the nodes that know what it requires', async () => {
    assert.match(await migrate(newest, '--finish'), new RegExp(`was migrated: ${contracting}\\.\n$`));
    await upgraded.load.progress();
    assert.deepEqual(upgraded.load.failures, []);
  });

  it('refuses a node of this version from then on, and says which releases can serve the database', async () => {
    const { code, stderr } = await watchword(['serve', '--port', '0', '--database', upgraded.database]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(
        `newer release .*${contracting}.* served by releases that know ${expanding};.* restore the backup`,
      ),
    );
  });

  it('loses no login, no refresh and no token', async () => {
    await upgraded.assertNothingLost({ logins: 20, refreshes: 40, revocations: 10 });
  });
});

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
