import type { ConnectionCounts, PrimaryServer, RegistryStatistics } from '@watchword/store-sql';
import { described, type MetricName } from './descriptions.ts';
import { withPatience } from './patience.ts';
import { Counter, Gauge, type Registry } from './prom-client.ts';

/** What the metrics read of the database when they are read. `undefined`, or a rejection, leaves a metric out. */
export interface ObservedDatabase {
  /** Bytes. */
  size(): Promise<number>;
  /** Bytes. */
  free(): Promise<number | undefined>;
  activeTokens(): Promise<number | undefined>;
  /** Seconds. */
  purgeLag(): Promise<number>;
  /** Rejects if writes cannot be made durable. */
  check(): Promise<void>;
}

interface Registries {
  readonly registry: Registry;
  /** For what every process on the database would report the same. */
  readonly shared: Registry;
}

/** Adds the metrics of the database as a whole. */
export function observeDatabase({ registry, shared }: Registries, database: ObservedDatabase): void {
  const gauge = (name: MetricName, read: () => Promise<number | undefined>) =>
    new Gauge({
      ...described(name),
      registers: [shared],
      async collect() {
        const value = await withPatience(read()).catch(() => undefined);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  gauge('watchword_database_size_bytes', () => database.size());
  gauge('watchword_database_free_bytes', () => database.free());
  gauge('watchword_active_access_tokens', () => database.activeTokens());
  gauge('watchword_purge_lag_seconds', () => database.purgeLag());
  new Gauge({
    ...described('watchword_database_writable'),
    aggregator: 'min',
    registers: [registry],
    async collect() {
      const isWritable = await withPatience(database.check().then(() => true)).catch(() => false);
      this.set(isWritable === true ? 1 : 0);
    },
  });
}

/** Adds the metrics of pools of connections. @param read the counts of each pool */
export function observeConnections(
  registry: Registry,
  read: () => Readonly<Record<string, ConnectionCounts>>,
): void {
  new Gauge({
    ...described('watchword_database_connections'),
    registers: [registry],
    collect() {
      for (const [pool, { busy, idle, limit }] of Object.entries(read())) {
        this.set({ pool, state: 'busy' }, busy);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'limit' }, limit);
      }
    },
  });
  new Gauge({
    ...described('watchword_database_connection_waiting'),
    registers: [registry],
    collect() {
      for (const [pool, { waiting }] of Object.entries(read())) this.set({ pool }, waiting);
    },
  });
  new Counter({
    ...described('watchword_database_connection_timeouts_total'),
    registers: [registry],
    collect() {
      this.reset();
      for (const [pool, { timedOut }] of Object.entries(read())) this.inc({ pool }, timedOut);
    },
  });
}

/** Adds the metric of the server that is written to. */
export function observePrimary(registry: Registry, primary: Pick<PrimaryServer, 'problem'>): void {
  new Gauge({
    ...described('watchword_database_split_brain'),
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(primary.problem() === undefined ? 0 : 1);
    },
  });
}

/** Adds the metrics of the registered records in memory. */
export function observeRecords({ registry, shared }: Registries, statistics: () => RegistryStatistics): void {
  new Counter({
    ...described('watchword_configuration_cache_lookups_total'),
    registers: [registry],
    collect() {
      const { hits, misses } = statistics();
      this.reset();
      this.inc({ result: 'hit' }, hits);
      this.inc({ result: 'miss' }, misses);
    },
  });
  new Gauge({
    ...described('watchword_registered_records'),
    registers: [shared],
    collect() {
      const { clients, resourceServers } = statistics();
      this.set({ kind: 'client' }, clients);
      this.set({ kind: 'resource_server' }, resourceServers);
    },
  });
}
