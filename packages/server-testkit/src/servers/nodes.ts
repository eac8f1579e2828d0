import { freePort } from '@watchword/testkit/free-port';
import { flagName, type SettingPath } from '../../../server/src/config/settings.ts';
import { seedDemo } from '../../../server/src/demo.ts';
import { systemClock } from '../../../server/src/system.ts';
import { openServerStore, type ServerStore } from '../../../store-sql/src/index.ts';
import { type RunningServer, startProcess, type Wrap } from '../processes/process.ts';
import { startBalancer } from './balancer.ts';
import { databaseFor, dropDatabases, sealingFlags } from './engine.ts';
import { cheapCost, copyDemo, type ServedRequests, servedRequests } from './server.ts';

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
  readonly port: number;
  readonly isRunning: boolean;
  /** The log since the last start. */
  log(): string;
  /** Ends the process at once, without any shutdown. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

type Flags = Partial<Record<SettingPath, string>>;

// As with `startServer`.
const noFactors: Flags = { 'factors.required': 'none' };

/**
 * @param clocksAhead seconds by which the clock of the machine of each node is wrong; one node for each
 * @param flags of every process
 * @param own an empty database of the caller, instead of one on the server of this run, and more flags for each node
 */
export async function startNodes(
  clocksAhead: readonly number[],
  flags: Flags = {},
  own?: { readonly database: string; readonly flagsOf: (node: number) => Flags },
): Promise<Nodes> {
  await using resources = new AsyncDisposableStack();
  const name = `nodes-${crypto.randomUUID()}`;
  if (own === undefined) await copyDemo(name, 'postgresql');
  resources.defer(() => dropDatabases(name));
  const database = own?.database ?? (await databaseFor(name, 'postgresql'));
  const balancer = resources.use(await startBalancer());
  // Tests send requests to the address and not to the name, so that a redirect to a page of the server ends their flow.
  const baseUrl = `http://localhost:${balancer.port}`;
  const store = await openServerStore({ database, clock: systemClock, isMachineClock: true });
  resources.defer(() => store.close());
  if (own !== undefined) await seedDemo(store);
  const ports = await Promise.all(clocksAhead.map(freePort));
  const nodes = await Promise.all(
    ports.map((port, index) =>
      startNode(
        port,
        { baseUrl, database, ...noFactors, ...sealingFlags(database), ...flags, ...own?.flagsOf(index) },
        (command) => withCheapHashes(withClock(clocksAhead[index] ?? 0)(command)),
      ),
    ),
  );
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

async function startNode(port: number, flags: Flags, wrap: Wrap): Promise<Node> {
  const named = Object.entries({ port: String(port), ...flags });
  const args = named.map(([path, value]) => `${flagName(path as SettingPath)}=${value}`);
  let running: RunningServer | undefined;
  const node: Node = {
    ...servedRequests(`http://localhost:${port}`),
    port,
    get isRunning() {
      return running !== undefined && running.child.exitCode === null && running.child.signalCode === null;
    },
    log: () => running?.log() ?? '',
    async kill() {
      await running?.[Symbol.asyncDispose]();
    },
    async start() {
      running = await startProcess(args, wrap);
    },
  };
  await node.start();
  return node;
}

/** Runs the command on a machine whose clock is wrong. Monotonic time is right there too. */
export function withClock(secondsAhead: number): Wrap {
  if (secondsAhead === 0) return (command) => command;
  return importing(`const right = Date.now; Date.now = () => right() + ${secondsAhead * 1000};`);
}

/**
 * Runs the command on a machine that hashes passwords at the cost of tests. The real one would take a fifth of the processor time of
 * tests with nodes.
 */
const withCheapHashes = importing(`
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
const { argon2 } = crypto;
const cost = ${JSON.stringify(cheapCost)};
crypto.argon2 = (kind, parameters, done) => argon2(kind, { ...parameters, ...cost }, done);
syncBuiltinESMExports();`);

/** Lets a process run the script first. */
function importing(script: string): Wrap {
  return ([node = '', ...rest]) => [
    node,
    '--import',
    `data:text/javascript,${encodeURIComponent(script)}`,
    ...rest,
  ];
}
