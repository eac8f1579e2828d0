import { until } from '@watchword/server-testkit/processes/process';
import type { Choices } from './choices.ts';
import type { Cluster } from './cluster.ts';
import type { PublishedKeys } from './published-keys.ts';

/** What a fault works with. */
export interface Site {
  readonly cluster: Cluster;
  readonly choices: Choices;
  readonly keys: PublishedKeys;
  /** Lets the load go on, with the fault or without it. Resolves when it has got some answers. */
  readonly work: () => Promise<void>;
}

/** Breaks something, lets the load meet it, and mends it. */
export type Fault = (site: Site) => Promise<void>;

/** The faults of a check with a PostgreSQL server of its own. */
export const faults = {
  /** A node is killed and started again. */
  node: async ({ cluster, choices, work }) => {
    const node = choices.below(cluster.targets.length);
    await cluster.kill(node);
    await work();
    await cluster.start(node);
  },
  /** PostgreSQL is shut down and started again. */
  stop: (site) => restartDatabase(site, (postgresql) => postgresql.stop('fast')),
  /** PostgreSQL ends at once, and recovers from its log. */
  crash: (site) => restartDatabase(site, (postgresql) => postgresql.stop('immediate')),
  /** The kernel kills all processes of PostgreSQL. */
  kill: (site) => restartDatabase(site, (postgresql) => postgresql.kill()),
  /** All connections to the database are cut. */
  cut: async ({ cluster }) => {
    for (const proxy of cluster.proxies) proxy.cut();
  },
  /** The connections of a node are cut between a commit and its answer. */
  commit: async ({ cluster, choices }) => {
    // The tag of a statement that stored a row, or of a commit, and that the transaction has ended.
    await choices.oneOf(cluster.proxies).cutBefore('answers', /(?:INSERT 0 [1-9]\d*|COMMIT)\0Z/);
  },
  /** A node cannot reach the database, and the others can. */
  partition: async ({ cluster, choices, work }) => {
    const proxy = choices.oneOf(cluster.proxies);
    proxy.refuse();
    await work();
    proxy.accept();
  },
  /** The answers of the database to a node do not arrive, and come late. */
  silence: async ({ cluster, choices, work }) => {
    const proxy = choices.oneOf(cluster.proxies);
    proxy.hold('answers');
    await work();
    proxy.release();
  },
  /** The next signing key is published, and signs when the copies of the JWKS have expired that do not have it. A node restarts meanwhile. */
  rotate: (site) => succeed(site, ['rotate']),
  /** The key that signs retires: the next one takes its place in the same way. */
  retire: async (site) => succeed(site, ['retire', await site.cluster.signingKey()]),
  /** Another party has the private half of the key that signs: it ends at once. */
  compromise: async ({ cluster, keys }) => {
    const kid = await cluster.signingKey();
    const ending = keys.endingOfKey(kid);
    keys.expectCompromise();
    ending.ask();
    await cluster.changeKeys('retire', kid, '--compromised', '--yes');
    ending.answer();
  },
  /** Everything loses its power and starts again. */
  power: async ({ cluster }) => {
    const all = cluster.targets.map((_, node) => node);
    const { postgresql } = cluster;
    await Promise.all([postgresql?.kill(), ...all.map((node) => cluster.kill(node))]);
    await postgresql?.restart();
    await Promise.all(all.map((node) => cluster.start(node)));
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** The command publishes a key, which signs as soon as clients can know it. */
async function succeed({ cluster, choices, keys, work }: Site, command: readonly string[]): Promise<void> {
  const before = new Set(await keys.read());
  await cluster.changeKeys(...command);
  const node = choices.below(cluster.targets.length);
  await cluster.kill(node);
  await work();
  await cluster.start(node);
  // The time that passes until the key signs, ten minutes, is longer than what the nodes and then the copies of the clients need.
  for (const place of cluster.targets.keys()) {
    await until(async () => (await keys.read(place)).some((kid) => !before.has(kid)), 50);
  }
  await cluster.changeKeys('rotate', '--now');
}

async function restartDatabase(
  { cluster: { postgresql }, work }: Site,
  end: (postgresql: NonNullable<Cluster['postgresql']>) => Promise<void>,
): Promise<void> {
  if (postgresql === undefined) throw new Error('this check has no PostgreSQL server of its own to end');
  await end(postgresql);
  await work();
  await postgresql.restart();
}
