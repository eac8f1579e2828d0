import { freePort } from '@watchword/testkit/free-port';
import { flagName, type SettingPath } from '../../server/src/config/settings.ts';
import { systemClock } from '../../server/src/system.ts';
import { openServerStore, type ServerStore } from '../../store-sql/src/index.ts';
import { startBalancer } from './balancer.ts';
import { databaseFor, dropDatabases } from './engine.ts';
import { type RunningServer, startProcess } from './process.ts';
import { copyDemo, type ServedRequests, servedRequests } from './server.ts';

/** Server processes on one PostgreSQL database with the demo records, behind a balancer that gives each request to the next. */
export interface Nodes extends ServedRequests, AsyncDisposable {
  /** The URL of the database. */
  readonly database: string;
  /** What a server of this process has: the store is one more node, and the base URL is that of the balancer. */
  readonly service: { readonly store: ServerStore; readonly baseUrl: string };
  readonly nodes: readonly Node[];
}

/** One server process, which can be ended and started again at the same port. */
export interface Node extends ServedRequests {
  /** The log since the last start. */
  log(): string;
  /** Ends the process at once, without any shutdown. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** @param flags of every process */
export async function startNodes(
  count: number,
  flags: Partial<Record<SettingPath, string>> = {},
): Promise<Nodes> {
  await using resources = new AsyncDisposableStack();
  const name = `nodes-${crypto.randomUUID()}`;
  await copyDemo(name, 'postgresql');
  resources.defer(() => dropDatabases(name));
  const database = await databaseFor(name, 'postgresql');
  const balancer = resources.use(await startBalancer());
  // Tests send requests to the address and not to the name, so that a redirect to a page of the server ends their flow.
  const baseUrl = `http://localhost:${balancer.port}`;
  const store = await openServerStore({ database, clock: systemClock, isMachineClock: true });
  resources.defer(() => store.close());
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const nodes = await Promise.all(ports.map((port) => startNode(port, { baseUrl, database, ...flags })));
  for (const node of nodes) resources.defer(() => node.kill());
  balancer.servers = ports;
  const ended = resources.move();
  return {
    ...servedRequests(`http://127.0.0.1:${balancer.port}`),
    database,
    service: { store, baseUrl },
    nodes,
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}

async function startNode(port: number, flags: Partial<Record<SettingPath, string>>): Promise<Node> {
  const named = Object.entries({ port: String(port), ...flags });
  const args = named.map(([path, value]) => `${flagName(path as SettingPath)}=${value}`);
  let running: RunningServer | undefined;
  const node: Node = {
    ...servedRequests(`http://localhost:${port}`),
    log: () => running?.log() ?? '',
    async kill() {
      await running?.[Symbol.asyncDispose]();
    },
    async start() {
      running = await startProcess(args);
    },
  };
  await node.start();
  return node;
}
