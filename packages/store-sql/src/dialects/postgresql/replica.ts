import type { Kysely } from 'kysely';
import { DatabaseOpenError } from '../../database-open-error.ts';
import { sqlDigestKey } from '../../digest-key.ts';
import type { Schema } from '../../schema.ts';
import { type DatabaseUrl, parseUrl, withoutPassword } from './connection/url.ts';
import type { Engine } from './distributed/engine.ts';
import { withFreshPlans } from './hot/fresh-plans.ts';
import { ReplicaReads } from './hot/replica-reads.ts';
import { type PostgresqlOptions, settingsOf } from './options.ts';
import { replicaPool } from './pools.ts';

/** The reads of a replica, and its connections. */
export interface OpenedReplica {
  readonly reads: ReplicaReads;
  close(): Promise<void>;
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
  const { replica } = settingsOf(options);
  if (replica === undefined) return undefined;
  if (engine !== 'postgresql') {
    throw new DatabaseOpenError(
      'The setting databaseReplica needs PostgreSQL itself. The rows of tokens are distributed here, and a replica of one machine has only a part of them. Leave the setting out, and add machines instead.',
    );
  }
  const url = asStandby(parseUrl(replica));
  const pool = replicaPool(url, options, applicationName);
  const reads = new ReplicaReads(withFreshPlans(pool), await sqlDigestKey(db).read());
  if (await reads.canBeOfThisDatabase()) return { reads, close: () => pool.close() };
  await pool.close();
  throw new DatabaseOpenError(
    `The replica ${withoutPassword(url)} has another database than --database. Nothing was changed. Name a replica of that server with --database-replica, or leave the setting out.`,
  );
}

/** A server that was promoted is no replica any more, and may be the wrong one of two that accept writes. */
function asStandby(url: DatabaseUrl): DatabaseUrl {
  return url.targetSession === 'read-write' ? { ...url, targetSession: 'standby' } : url;
}
