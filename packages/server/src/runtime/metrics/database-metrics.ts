import type { ConnectionCounts, PrimaryServer, RegistryStatistics } from '@watchword/store-sql';
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
  const gauge = (name: string, help: string, read: () => Promise<number | undefined>) =>
    new Gauge({
      name,
      help,
      registers: [shared],
      async collect() {
        const value = await withPatience(read()).catch(() => undefined);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  gauge(
    'watchword_database_size_bytes',
    'Bytes of the database on the disk; of SQLite with its write-ahead log.',
    () => database.size(),
  );
  gauge('watchword_database_free_bytes', 'Bytes that are free on the disk of a SQLite database.', () =>
    database.free(),
  );
  gauge(
    'watchword_active_access_tokens',
    'Access tokens that have not expired, counted at most once a minute.',
    () => database.activeTokens(),
  );
  gauge(
    'watchword_purge_lag_seconds',
    'Seconds since the oldest expired row should have been removed; 0 if the purge has kept up.',
    () => database.purgeLag(),
  );
  new Gauge({
    name: 'watchword_database_writable',
    help: '1 if a write could be made durable when the metrics were read, 0 if not, or not within a second.',
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
    name: 'watchword_database_connections',
    help: 'Connections to PostgreSQL, by pool and state; the state limit is the greatest number of them.',
    labelNames: ['pool', 'state'] as const,
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
    name: 'watchword_database_connection_waiting',
    help: 'Callers that wait for a connection to PostgreSQL, by pool.',
    labelNames: ['pool'] as const,
    registers: [registry],
    collect() {
      for (const [pool, { waiting }] of Object.entries(read())) this.set({ pool }, waiting);
    },
  });
  new Counter({
    name: 'watchword_database_connection_timeouts_total',
    help: 'Callers that got no connection to PostgreSQL in time, by pool.',
    labelNames: ['pool'] as const,
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
    name: 'watchword_database_split_brain',
    help: '1 while no PostgreSQL server is used, because two of one database accept writes, or the only one has an older timeline.',
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
    name: 'watchword_configuration_cache_lookups_total',
    help: 'Lookups of clients and resource servers, by whether memory had the record.',
    labelNames: ['result'] as const,
    registers: [registry],
    collect() {
      const { hits, misses } = statistics();
      this.reset();
      this.inc({ result: 'hit' }, hits);
      this.inc({ result: 'miss' }, misses);
    },
  });
  new Gauge({
    name: 'watchword_registered_records',
    help: 'Registered clients and resource servers.',
    labelNames: ['kind'] as const,
    registers: [shared],
    collect() {
      const { clients, resourceServers } = statistics();
      this.set({ kind: 'client' }, clients);
      this.set({ kind: 'resource_server' }, resourceServers);
    },
  });
}
