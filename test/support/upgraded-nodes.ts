import assert from 'node:assert/strict';
import { type Application, registerApplication } from '@watchword/server-testkit/application';
import { type Balancer, startBalancer } from '@watchword/server-testkit/balancer';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/engine';
import { type RunningServer, startProcess } from '@watchword/server-testkit/process';
import {
  copyDemo,
  demoResourceServer,
  type ServedRequests,
  servedRequests,
} from '@watchword/server-testkit/server';
import { freePort } from '@watchword/testkit/free-port';
import { UserAgent } from '@watchword/testkit/user-agent';
import { systemClock } from '../../packages/server/src/system.ts';
import { openServerStore } from '../../packages/store-sql/src/index.ts';
import { expect, startLoad, type UpgradeLoad } from './upgrade-load.ts';

export interface UpgradedNode extends RunningServer {
  readonly port: number;
}

/** Nodes on one database, behind a balancer, which users and applications load all the time. */
export interface UpgradedNodes extends AsyncDisposable {
  readonly database: string;
  readonly baseUrl: string;
  readonly balancer: Balancer;
  readonly load: UpgradeLoad;
  /** In the order of their start. The first one is of this version. */
  readonly nodes: readonly UpgradedNode[];
  ports(): number[];
  /** Starts a node, which the balancer does not know yet. @param bin the program of another version */
  start(bin?: string): Promise<UpgradedNode>;
  /** A login, a code and refresh tokens, with each request at the next one of these ports. */
  crossing(turns: readonly number[]): Promise<void>;
  /** Ends the load, of which nothing is lost. */
  assertNothingLost(least: UpgradeLoad['done']): Promise<void>;
}

/** Migrations that the node has applied at its start. */
export function migratedBy({ log }: UpgradedNode): string | undefined {
  return /"migrated":\[([^\]]*)\]/.exec(log())?.[1];
}

/** One node of this version under load. */
export async function startUpgradedNodes(): Promise<UpgradedNodes> {
  await using resources = new AsyncDisposableStack();
  const name = `upgrade-${crypto.randomUUID()}`;
  await copyDemo(name, 'postgresql');
  resources.defer(() => dropDatabases(name));
  const database = await databaseFor(name, 'postgresql');
  const balancer = resources.use(await startBalancer());
  const baseUrl = `http://localhost:${balancer.port}`;
  const server = servedRequests(`http://127.0.0.1:${balancer.port}`);
  const application = await register(server, { database, baseUrl });
  const nodes: UpgradedNode[] = [];
  const ports = () => nodes.map(({ port }) => port);
  // With the nodes that a test starts later.
  const running = resources.use(new AsyncDisposableStack());

  const start = async (bin?: string) => {
    const port = await freePort();
    const where = ['--port', String(port), '--base-url', baseUrl, '--database', database];
    const started = await startProcess([...where, '--shutdown-linger', '1'], (command) =>
      command.map((word) => (bin !== undefined && word.endsWith('watchword.js') ? bin : word)),
    );
    const node = { ...running.use(started), port };
    nodes.push(node);
    return node;
  };

  await start();
  balancer.servers = ports();
  const load = startLoad(server, application, 2);
  resources.defer(() => load.stop());
  await load.progress();
  const ended = resources.move();
  return {
    database,
    baseUrl,
    balancer,
    load,
    nodes,
    ports,
    start,
    async crossing(turns) {
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
    },
    async assertNothingLost(least) {
      await load.stop();
      assert.deepEqual(load.failures, []);
      const { logins, refreshes, revocations } = load.done;
      const isEnough =
        logins > least.logins && refreshes > least.refreshes && revocations > least.revocations;
      assert.ok(isEnough, JSON.stringify(load.done));
      for (const token of load.valid)
        await expect(200, server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer));
      // On a busy machine the database can be late in background work, which is done again; a request may not fail of it.
      const lines = nodes.flatMap(({ log }) => log().split('\n'));
      const isError = /"level":[56]0(?!.*the database does not answer)/;
      assert.deepEqual(
        lines.filter((line) => isError.test(line)),
        [],
      );
    },
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}

async function register(
  server: ServedRequests,
  { database, baseUrl }: Pick<UpgradedNodes, 'database' | 'baseUrl'>,
): Promise<Application> {
  const store = await openServerStore({ database, clock: systemClock, isMachineClock: true });
  try {
    return await registerApplication({ ...server, service: { store, baseUrl } });
  } finally {
    await store.close();
  }
}
