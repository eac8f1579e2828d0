import { Kysely } from 'kysely';
import { DatabaseOpenError } from '../../database-open-error.ts';
import { sqlDigestKey } from '../../digest-key.ts';
import type { Schema } from '../../schema.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { type DatabaseUrl, parseUrl, withoutPassword } from './connection/url.ts';
import { postgresqlDialect } from './dialect.ts';
import type { Engine } from './distributed/engine.ts';
import { withFreshPlans } from './hot/fresh-plans.ts';
import { ReplicaReads } from './hot/replica-reads.ts';
import { type PostgresqlOptions, settingsOf } from './options.ts';
import { replicaPool } from './pools.ts';

/** Connections to a replica. */
export interface ReplicaConnections {
  readonly url: DatabaseUrl;
  readonly pool: ConnectionPool;
  readonly db: Kysely<Schema>;
  /** Number of connections that are open. */
  open(): number;
  close(): Promise<void>;
}

export interface OpenedReplica extends ReplicaConnections {
  readonly reads: ReplicaReads;
}

/** `undefined` if the settings name no replica. It is not connected yet. */
export function replicaConnections(
  options: Pick<PostgresqlOptions, 'settings'>,
  applicationName: string,
): ReplicaConnections | undefined {
  const { replica } = settingsOf(options);
  if (replica === undefined) return undefined;
  const url = asStandby(parseUrl(replica));
  const pool = replicaPool(url, options, applicationName);
  const db = new Kysely<Schema>({ dialect: postgresqlDialect(pool) });
  return { url, pool, db, open: () => pool.size, close: () => pool.close() };
}

/**
 * Connects to the replica, if the settings name one. A replica that cannot be reached now is used when it can be reached.
 *
 * @throws DatabaseOpenError if it is a server of another database
 */
export async function openReplica(
  options: PostgresqlOptions,
  { db, engine }: { readonly db: Kysely<Schema>; readonly engine: Engine },
  applicationName: string,
): Promise<OpenedReplica | undefined> {
  const connections = replicaConnections(options, applicationName);
  if (connections === undefined) return undefined;
  if (engine !== 'postgresql') {
    throw new DatabaseOpenError(
      'The setting databaseReplica needs PostgreSQL itself. The rows of tokens are distributed here, and a replica of one machine has only a part of them. Leave the setting out, and add machines instead.',
    );
  }
  const { url, pool } = connections;
  const reads = new ReplicaReads(withFreshPlans(pool), await sqlDigestKey(db).read());
  if (await reads.canBeOfThisDatabase()) return { ...connections, reads };
  await pool.close();
  throw new DatabaseOpenError(
    `The replica ${withoutPassword(url)} has another database than --database. Nothing was changed. Name a replica of that server with --database-replica, or leave the setting out.`,
  );
}

/** A server that was promoted is no replica any more, and may be the wrong one of two that accept writes. */
function asStandby(url: DatabaseUrl): DatabaseUrl {
  return url.targetSession === 'read-write' ? { ...url, targetSession: 'standby' } : url;
}
