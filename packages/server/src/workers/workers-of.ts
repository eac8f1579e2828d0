import { availableParallelism } from 'node:os';
import type { LoadedConfiguration } from '../config/load.ts';
import { ConfigurationError } from '../configuration-error.ts';

/**
 * The number of processes that answer requests.
 *
 * @throws ConfigurationError for several processes on SQLite
 */
export function workersOf({ configuration, origins }: LoadedConfiguration): number {
  const { database, workers } = configuration;
  const isPostgresql = /^postgres(?:ql)?:/.test(database);
  if (workers === 'auto') return isPostgresql ? availableParallelism() : 1;
  if (workers === 1 || isPostgresql) return workers;
  throw new ConfigurationError([
    {
      path: 'workers',
      place: origins.workers,
      problem: `expected 1, or auto, because a SQLite file has one server process, got ${workers}. Use a PostgreSQL database, --database postgres://…, or leave out --workers.`,
    },
  ]);
}
