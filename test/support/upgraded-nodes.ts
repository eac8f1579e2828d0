import assert from 'node:assert/strict';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { type RunningServer, startProcess } from '@watchword/server-testkit/processes/process';
import { type Balancer, startBalancer } from '@watchword/server-testkit/servers/balancer';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/servers/engine';
import {
  copyDemo,
  demoResourceServer,
  type ServedRequests,
  servedRequests,
} from '@watchword/server-testkit/servers/server';
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
  /**
   * A login, a code and refresh tokens, with each request at the next one of these ports: for the API of the application, for another one, and for
   * both.
   */
  crossing(turns: readonly number[]): Promise<void>;
  /** Ends the load, of which nothing is lost. */
  assertNothingLost(least: UpgradeLoad['done']): Promise<void>;
}

const uris = { own: 'https://own.example', other: 'https://other.example/mcp' };

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
  const { application, other } = await register(server, { database, baseUrl });
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
      const seen = async (token: string, credentials: string) => {
        jump();
        const { status, json } = await server.post('/v1/tokeninfo', { access_token: token }, credentials);
        return status === 200 ? json.scopes : status;
      };
      for (const [request, own, others] of [
        [{}, ['read', 'write'], 404],
        [{ resource: uris.other, scope: 'read' }, 404, ['read']],
        [{ resource: [uris.own, uris.other], scope: 'read write' }, ['read', 'write'], ['read']],
      ] as const) {
        const agent = new UserAgent();
        jump();
        let page = await application.open(request, agent);
        // Nobody has consented before.
        const username = `cross-${turns[0]}-${own}-${others}`;
        for (const values of [{ username, password: 'x' }, { decision: 'allow' }]) {
          jump();
          page = await agent.submit(page, values);
        }
        const code = new URL(page.location ?? '').searchParams.get('code') ?? '';
        jump();
        let { json } = await expect(200, application.redeem(code));
        for (let refresh = 0; refresh < 3; refresh += 1) {
          jump();
          json = (await expect(200, application.refresh(json.refresh_token))).json;
          assert.deepEqual(await seen(json.access_token, demoResourceServer), own);
          assert.deepEqual(await seen(json.access_token, other), others);
        }
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
): Promise<{ readonly application: Application; readonly other: string }> {
  const store = await openServerStore({ database, clock: systemClock, isMachineClock: true });
  try {
    const served = { ...server, service: { store, baseUrl } };
    const other = await registerResourceServer(served, 'Other API', {
      ...{ resources: [uris.other], scopes: ['read'] },
    });
    const { id } = other.resourceServer;
    const application = await registerApplication(served, {
      otherResourceServers: [{ resourceServerId: id, scopes: ['read'] }],
    });
    await store.resourceServers.update(application.client.resourceServerId, { resources: [uris.own] });
    return { application, other: other.credentials };
  } finally {
    await store.close();
  }
}
