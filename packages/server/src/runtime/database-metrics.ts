import type { ConnectionCounts, ReplicaState } from '@watchword/store-sql';
import { Counter, Gauge, type Registry } from 'prom-client';

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

/** Adds the metrics of the replica for lookups of access tokens. */
export function observeReplica(registry: Registry, read: () => ReplicaState): void {
  new Gauge({
    name: 'watchword_replica_age_seconds',
    help: 'Age of the heartbeat at the replica when it was read last. Absent while it cannot be read.',
    registers: [registry],
    collect() {
      const { age } = read();
      if (age === undefined) this.remove();
      else this.set(age / 1000);
    },
  });
  new Gauge({
    name: 'watchword_replica_used',
    help: '1 if the replica answered the last lookups of access tokens, 0 if the primary did.',
    registers: [registry],
    collect() {
      this.set(read().isUsed ? 1 : 0);
    },
  });
  new Counter({
    name: 'watchword_replica_lookups_total',
    help: 'Lookups that the replica could have answered, by what answered them.',
    labelNames: ['answered_by'] as const,
    registers: [registry],
    collect() {
      const { replica, primary } = read().lookups;
      this.reset();
      this.inc({ answered_by: 'replica' }, replica);
      this.inc({ answered_by: 'primary' }, primary);
    },
  });
}
