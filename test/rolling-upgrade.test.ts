import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/application';
import { type Balancer, startBalancer } from '@watchword/server-testkit/balancer';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/engine';
import { type RunningServer, startProcess, until, watchword } from '@watchword/server-testkit/process';
import {
  copyDemo,
  demoResourceServer,
  type ServedRequests,
  servedRequests,
  startServer,
} from '@watchword/server-testkit/server';
import { freePort } from '@watchword/testkit/free-port';
import { query } from '@watchword/testkit/postgresql';
import { UserAgent } from '@watchword/testkit/user-agent';
import { systemClock } from '../packages/server/src/system.ts';
import { openServerStore } from '../packages/store-sql/src/index.ts';
import { contracting, expanding, type NextVersion, nextVersion, noKey } from './support/next-version.ts';
import { expect, startLoad, type UpgradeLoad } from './support/upgrade-load.ts';

interface UpgradedNode extends RunningServer {
  readonly port: number;
}

/** The tests are the steps of one upgrade, in their order. Users and applications go on all the time. */
describe('an upgrade of the nodes one after the other', () => {
  const resources = new AsyncDisposableStack();
  let database: string;
  let balancer: Balancer;
  let server: ServedRequests;
  let application: Application;
  let load: UpgradeLoad;
  let next: NextVersion;
  /** The nodes in the order of their start: of this version, of the next one, and of the one after. */
  const nodes: UpgradedNode[] = [];

  before(async () => {
    const name = `upgrade-${crypto.randomUUID()}`;
    await copyDemo(name, 'postgresql');
    resources.defer(() => dropDatabases(name));
    database = await databaseFor(name, 'postgresql');
    next = resources.use(await nextVersion());
    balancer = resources.use(await startBalancer());
    server = servedRequests(`http://127.0.0.1:${balancer.port}`);
    application = await register();
    await start();
    balancer.servers = ports();
    load = startLoad(server, application, 2);
    resources.defer(() => load.stop());
    await load.progress();
  });
  after(() => resources.disposeAsync());

  const ports = () => nodes.map(({ port }) => port);
  const baseUrl = () => `http://localhost:${balancer.port}`;

  async function register(): Promise<Application> {
    const store = await openServerStore({ database, clock: systemClock, isMachineClock: true });
    try {
      return await registerApplication({ ...server, service: { store, baseUrl: baseUrl() } });
    } finally {
      await store.close();
    }
  }

  /** @param bin the program, if it is not the one of this version */
  async function start(bin?: string): Promise<UpgradedNode> {
    const port = await freePort();
    const where = ['--port', String(port), '--base-url', baseUrl(), '--database', database];
    const running = await startProcess([...where, '--shutdown-linger', '1'], (command) =>
      command.map((word) => (bin !== undefined && word.endsWith('watchword.js') ? bin : word)),
    );
    const node = { ...resources.use(running), port };
    nodes.push(node);
    return node;
  }

  const migrate = (...flags: readonly string[]) => next.run('migrate', ...flags, '--database', database);
  /** Migrations that a server has applied at its start. */
  const migratedBy = ({ log }: UpgradedNode) => /"migrated":\[([^\]]*)\]/.exec(log())?.[1];

  /** A login, a code and refresh tokens, with each request at the other one of two nodes. */
  async function crossing(turns: readonly number[]): Promise<string> {
    let turn = 0;
    const jump = () => {
      balancer.servers = [turns[turn % turns.length] ?? 0];
      turn += 1;
    };
    const agent = new UserAgent();
    jump();
    let page = await application.open({}, agent);
    for (const values of [{ username: `cross-${turns[0]}`, password: 'x' }, { decision: 'allow' }]) {
      jump();
      page = await agent.submit(page, values);
    }
    const code = new URL(page.location ?? '').searchParams.get('code') ?? '';
    jump();
    let { json } = await expect(200, application.redeem(code));
    for (let refresh = 0; refresh < 3; refresh += 1) {
      jump();
      json = (await expect(200, application.refresh(json.refresh_token))).json;
      jump();
      await expect(200, server.post('/v1/tokeninfo', json, demoResourceServer));
    }
    balancer.servers = ports();
    return json.access_token;
  }

  it('begins with a check that says that the nodes of this version can go on', async () => {
    assert.match(
      await migrate('--check'),
      new RegExp(`older releases can go on\\..*\n  ${expanding} adds the key of bound access tokens\n$`),
    );
  });

  it('goes on with a node of the next version, which applies its expanding migration', async () => {
    const node = await start(next.bin);
    assert.equal(migratedBy(node), `"${expanding}"`);
    balancer.servers = ports();
    await load.progress();
    for (const { log } of nodes) await until(() => log().includes('"route":"/oauth2/token"'));
    const [old, newer] = ports();
    for (const turns of [
      [old, newer],
      [newer, old],
    ])
      await crossing(turns as number[]);
    const rows = await query(database, 'select distinct bound_key from access_token order by 1');
    assert.deepEqual(
      rows.map(({ bound_key }) => bound_key),
      ['', noKey],
    );
    assert.deepEqual(load.failures, []);
  });

  it('starts a node of this version again, if it must, which applies nothing', async () => {
    const { stdout } = await watchword(['migrate', '--check', '--database', database]);
    assert.match(stdout, new RegExp(`newer release: ${expanding}. This release can go on with it`));
    await using again = await startServer({ database, baseUrl: baseUrl() });
    assert.deepEqual(again.service.store.migrated, []);
    balancer.servers = [...ports(), again.port];
    await load.progress();
    balancer.servers = ports();
    assert.deepEqual(load.failures, []);
  });

  it('ends the node of this version without the loss of a request', async () => {
    const [old] = nodes;
    balancer.servers = ports().slice(1);
    assert.equal(await old?.end('SIGTERM'), 0);
    await load.progress();
    assert.deepEqual(load.failures, []);
  });

  it('does not apply a contracting migration of the version after, whose nodes work without it', async () => {
    await next.addContraction();
    const newest = await start(next.bin);
    assert.equal(migratedBy(newest), '');
    balancer.servers = ports().slice(-2);
    assert.match(
      await migrate('--check'),
      new RegExp(
        `not know ${expanding} can go on only until "watchword migrate --finish".*\n  ${contracting} `,
      ),
    );
    await load.progress();
    assert.deepEqual(load.failures, []);
  });

  it('applies it by migrate --finish, and goes on with the nodes that know what it requires', async () => {
    assert.match(await migrate('--finish'), new RegExp(`was migrated: ${contracting}\\.\n$`));
    await load.progress();
    assert.deepEqual(load.failures, []);
  });

  it('refuses a node of this version from then on, and says which releases can serve the database', async () => {
    const { code, stderr } = await watchword(['serve', '--port', '0', '--database', database]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(
        `newer release .*${contracting}.* served by releases that know ${expanding};.* restore the backup`,
      ),
    );
  });

  it('loses no login, no refresh and no token', async () => {
    await load.stop();
    assert.deepEqual(load.failures, []);
    const { logins, refreshes, revocations } = load.done;
    assert.ok(logins > 20 && refreshes > 40 && revocations > 10, JSON.stringify(load.done));
    for (const token of load.valid)
      await expect(200, server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer));
    for (const { log } of nodes) assert.doesNotMatch(log(), /"level":[56]0/);
  });
});
