import { secretLine } from '@watchword/protocol';
import pg from 'pg';
import { toPostgresqlError } from './postgresql-error.ts';
import { tlsOptions } from './tls.ts';
import type { DatabaseUrl, Host } from './url.ts';

export interface ConnectOptions {
  readonly host: Host;
  readonly url: DatabaseUrl;
  /** By which these connections are known. A name in the URL is added to it. */
  readonly applicationName: string;
  /** Milliseconds. */
  readonly connectTimeout: number;
}

/** What node-postgres says when the server has no TLS. */
const withoutTls = 'The server does not support SSL connections';

/** Opens a connection to one host. @throws PostgresqlError */
export async function connect(options: ConnectOptions): Promise<pg.Client> {
  // Such a connection never leaves the machine, and PostgreSQL has no TLS for it.
  const tls = options.host.name.startsWith('/') ? undefined : tlsOptions(options.url);
  try {
    return await connectWith(options, tls ?? false);
  } catch (error) {
    const isPreferred = options.url.sslMode === 'prefer' && tls !== undefined;
    const found = toPostgresqlError(error);
    if (isPreferred && found.message === withoutTls) return connectWith(options, false);
    throw found;
  }
}

async function connectWith(
  { host, url, applicationName, connectTimeout }: ConnectOptions,
  ssl: NonNullable<pg.ClientConfig['ssl']>,
): Promise<pg.Client> {
  const client = new pg.Client({
    host: host.name,
    port: host.port,
    user: url.user,
    database: url.database,
    password: () => requirePassword(url),
    application_name: [applicationName, url.applicationName ?? ''].join(' ').trim(),
    ssl,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
  });
  // Without a listener an error of the connection would end the process, also between connecting and its first use.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    // The socket stays open after an error of the server.
    void client.end().catch(() => {});
    throw error;
  }
}

/** Called when the server asks for a password. */
function requirePassword({ password }: DatabaseUrl): string {
  const found = password ?? secretLine(process.env.PGPASSWORD ?? '');
  if (found === '') throw new Error('the server asks for a password, and the URL has none');
  return found;
}
