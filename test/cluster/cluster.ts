import { fileURLToPath } from 'node:url';
import { watchword } from '@watchword/server-testkit/processes/process';
import { testSealingKey } from '@watchword/server-testkit/servers/engine';
import { type Nodes, startNodes } from '@watchword/server-testkit/servers/nodes';
import { type PostgresqlServer, postgresqlServer, startPostgresql } from '@watchword/testkit/postgresql';
import { type TcpProxy, tcpProxy } from '@watchword/testkit/tcp-proxy';
import type { Target } from './client.ts';

/** Three nodes on one database, each behind a proxy of its own, and what is needed to break them. */
export interface Cluster extends AsyncDisposable {
  readonly nodes: Nodes;
  readonly targets: readonly Target[];
  /** The connections of each node to the database. */
  readonly proxies: readonly TcpProxy[];
  /** The server of the database, if it is that of this check. */
  readonly postgresql: PostgresqlServer | undefined;
  kill(node: number): Promise<void>;
  start(node: number): Promise<void>;
  /** The signing keys after a command of an administrator: `watchword keys …`. */
  changeKeys(...args: readonly string[]): Promise<void>;
  /** The id of the key that signs. */
  signingKey(): Promise<string>;
}

/** Seconds in which a public client can repeat a refresh: never, so that a refresh token has one use only. */
export const publicGrace = 0;

/** The clocks of the machines differ, within the two seconds that are permitted. */
const clocksAhead = [0, 1, -1];

/** @param isOwn whether to start a PostgreSQL server; otherwise the database is on the server of the run of tests */
export async function startCluster(isOwn: boolean): Promise<Cluster> {
  await using resources = new AsyncDisposableStack();
  const postgresql = isOwn ? resources.use(await startPostgresql()) : undefined;
  const database = resources.use(await (postgresql ?? (await postgresqlServer())).createDatabase());
  const { hostname: host, port } = new URL(database.url);
  const proxies = await Promise.all(clocksAhead.map(() => tcpProxy({ host, port: Number(port || 5432) })));
  for (const proxy of proxies) resources.use(proxy);
  const urls = proxies.map((proxy) => {
    const url = new URL(proxy.url(database.url));
    // A fault reads what the database answers.
    url.searchParams.set('sslmode', 'disable');
    return url.href;
  });
  const nodes = resources.use(
    await startNodes(
      clocksAhead,
      {
        authenticator: fileURLToPath(import.meta.resolve('@watchword/server-testkit/people/any-person')),
        'refresh.publicGraceSeconds': String(publicGrace),
        'purge.interval': '5',
        'signing.algorithms': 'ES256',
      },
      {
        database: database.url,
        // The last one polls, the others also listen.
        flagsOf: (node) => ({
          database: urls[node] ?? '',
          ...(node < proxies.length - 1 && { databaseListen: urls[node] ?? '' }),
        }),
      },
    ),
  );
  const targets: Target[] = nodes.nodes.map(({ port }) => ({ port, isDown: false, kills: 0 }));
  const nodeOf = (place: number) => {
    const [node, target] = [nodes.nodes[place], targets[place]];
    if (node === undefined || target === undefined) throw new Error(`there is no node ${place}`);
    return { node, target };
  };
  const keys = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await watchword(
      ['keys', ...args, '--database', database.url, '--json'],
      { env: { WATCHWORD_SIGNING_KEY: testSealingKey } },
    );
    if (code !== 0) throw new Error(`keys ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const ended = resources.move();
  return {
    nodes,
    targets,
    proxies,
    postgresql,
    async kill(place) {
      const { node, target } = nodeOf(place);
      target.isDown = true;
      target.kills += 1;
      await node.kill();
    },
    async start(place) {
      const { node, target } = nodeOf(place);
      await node.start();
      target.isDown = false;
    },
    async changeKeys(...args) {
      await keys(...args);
    },
    async signingKey() {
      const list = JSON.parse(await keys('list')) as readonly {
        readonly kid: string;
        readonly state: string;
      }[];
      return list.find(({ state }) => state === 'signing')?.kid ?? '';
    },
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}
