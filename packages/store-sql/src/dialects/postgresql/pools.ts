import type { ConnectionOptions } from './connection/connection.ts';
import { Hosts } from './connection/hosts.ts';
import type { Logins } from './connection/logins.ts';
import { ConnectionPool, type PoolOptions } from './connection/pool.ts';
import type { Primaries } from './connection/primaries.ts';
import type { DatabaseUrl } from './connection/url.ts';
import type { Engine } from './distributed/engine.ts';
import { type PostgresqlOptions, type PostgresqlSettings, settingsOf } from './options.ts';

type DatabaseOptions = Pick<PostgresqlOptions, 'settings'>;

/** A database, and as whom the process connects to it. */
export interface Place {
  readonly url: DatabaseUrl;
  readonly logins?: Logins;
  readonly primaries?: Primaries;
}

// Milliseconds. A request that waits for a connection, then for a statement, and then in vain for the server to cancel it, is still
// answered within five seconds.
const hotLimits = { waitTimeout: 1500, statementTimeout: 2000, lockTimeout: 1500, idleTimeout: 5000 };
/**
 * Hot statements find rows by their keys. A plan that was made while a table was empty is the full scan of that table, and
 * a prepared statement keeps it until statistics are collected: so no such plan is made.
 */
export const plansByKey = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
  enable_material: 'off',
  enable_memoize: 'off',
  jit: 'off',
};
const otherWaitTimeout = 5000;
const otherIdleTimeout = 60_000;
// A node waits for the migration of another one. A migration of large tables has no limit.
const migrationLockTimeout = 600_000;

/** The pools of a store: requests never wait for slow statements of administration or purge. */
export function servingPools(
  place: Place,
  options: DatabaseOptions,
  applicationName: string,
  engine: Engine = 'postgresql',
): { readonly hot: ConnectionPool; readonly other: ConnectionPool } {
  const settings = settingsOf(options);
  const { statementTimeout, lockTimeout } = settings;
  const hot = {
    statementTimeout: Math.min(statementTimeout, hotLimits.statementTimeout),
    lockTimeout: Math.min(lockTimeout, hotLimits.lockTimeout),
    idleTimeout: hotLimits.idleTimeout,
    // Other engines plan in their own way: Citus needs the values to find the placement.
    parameters: engine === 'postgresql' ? plansByKey : {},
  };
  const other = { statementTimeout, lockTimeout, idleTimeout: otherIdleTimeout };
  return {
    hot: pool(
      { ...place, settings, applicationName, ...hot },
      {
        size: settings.connections,
        maxWaiting: 1000,
        waitTimeout: hotLimits.waitTimeout,
      },
    ),
    other: pool(
      { ...place, settings, applicationName, ...other },
      {
        size: settings.otherConnections,
        maxWaiting: 200,
        waitTimeout: otherWaitTimeout,
      },
    ),
  };
}

/** Connections without time limits: for the work at the start, and for tools that read or write whole tables. */
export function openingPool(place: Place, options: DatabaseOptions, applicationName: string): ConnectionPool {
  const limits = { statementTimeout: 0, lockTimeout: migrationLockTimeout, idleTimeout: 0 };
  const settings = settingsOf(options);
  const { connectTimeout } = settings;
  return pool(
    { ...place, settings, applicationName, ...limits },
    // A tool reads in the snapshot of one connection, and writes or looks at the database with another one.
    { size: 2, maxWaiting: 10, waitTimeout: connectTimeout },
  );
}

/**
 * Where a connection that listens goes.
 *
 * @param database whose login it has if its URL has the same role, and no password
 */
export function listeningHosts(
  url: DatabaseUrl,
  options: DatabaseOptions,
  applicationName: string,
  database: Place,
): Hosts {
  const { connectTimeout } = settingsOf(options);
  const limits = { statementTimeout: 5000, lockTimeout: 0, idleTimeout: 0 };
  const isSameRole = url.password === undefined && url.user === database.url.user;
  return new Hosts({
    url,
    applicationName,
    connectTimeout,
    preparedStatements: true,
    ...limits,
    ...(isSameRole && { logins: database.logins }),
  });
}

interface Target extends Place, Omit<ConnectionOptions, 'preparedStatements'> {
  readonly applicationName: string;
  readonly settings: PostgresqlSettings;
}

function pool({ settings, ...target }: Target, options: PoolOptions): ConnectionPool {
  const { connectTimeout, preparedStatements } = settings;
  return new ConnectionPool(new Hosts({ ...target, connectTimeout, preparedStatements }), options);
}
