import { availableParallelism } from 'node:os';
import { isPostgresqlUrl } from '../config/database-kinds.ts';
import type { Configuration } from '../config/settings.ts';

/** The number of processes that answer requests. A SQLite file has one. */
export function workersOf({ database, workers }: Configuration): number {
  if (!isPostgresqlUrl(database)) return 1;
  return workers === 'auto' ? availableParallelism() : workers;
}
