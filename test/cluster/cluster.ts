import { fileURLToPath } from 'node:url';
import { type Nodes, startNodes } from '@watchword/server-testkit/nodes';
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
  const proxies = await Promise.all(clocksAhead.map(() => tcpProxy({ host, port: Number(port) })));
  for (const proxy of proxies) resources.use(proxy);
  const urls = proxies.map((proxy) => proxy.url(database.url));
  const nodes = resources.use(
    await startNodes(
      clocksAhead,
      {
        authenticator: fileURLToPath(import.meta.resolve('@watchword/server-testkit/any-person')),
        'refresh.publicGraceSeconds': String(publicGrace),
        'purge.interval': '5',
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
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}
