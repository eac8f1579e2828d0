import type { Session } from '../connection/session.ts';

/** An engine that speaks the protocol of PostgreSQL. Those that store as PostgreSQL does (Aurora, AlloyDB) count as `postgresql`. */
export type Engine = 'postgresql' | 'citus' | 'yugabytedb' | 'cockroachdb';

/**
 * Finds the engine, and whether its tables are distributed. On Citus an empty database becomes a distributed one if a node can hold
 * shards; a database whose tables were made without the extension stays as it is.
 */
export async function findEngine(session: Session): Promise<Engine> {
  const [found] = await session.pipeline([{ text: whichEngine, values: [] }]);
  const [version, hasCitus] = found?.rows[0] ?? [];
  if (String(version).includes('-YB-')) return 'yugabytedb';
  if (String(version).startsWith('CockroachDB')) return 'cockroachdb';
  if (hasCitus !== true) return 'postgresql';
  const [tables] = await session.pipeline([{ text: whetherDistributed, values: [] }]);
  return tables?.rows[0]?.[0] === true ? 'citus' : 'postgresql';
}

const whichEngine = `select version(), exists (select 1 from pg_extension where extname = 'citus')`;

const whetherDistributed = `select case when to_regclass('authorization_grant') is null
  then exists (select 1 from pg_dist_node where shouldhaveshards and isactive)
  else exists (select 1 from pg_dist_partition where logicalrelid = to_regclass('authorization_grant')) end`;

/** Others need a migration that is run before the first node starts. */
export function hasAdvisoryLocks(engine: Engine): boolean {
  return engine === 'postgresql' || engine === 'citus';
}
