import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { notUtf8, pathProblem, secretLine, utf8Text } from '@watchword/protocol';
import pg from 'pg';
import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import { toPostgresqlError } from './postgresql-error.ts';
import type { DatabaseUrl, Host } from './url.ts';

type TlsUrl = Pick<DatabaseUrl, 'sslMode' | 'sslRootCert' | 'sslCert' | 'sslKey'>;

/**
 * The options of TLS; `undefined` for a connection without TLS. Certificates are verified with the given root certificates, or
 * with those that Node.js trusts.
 *
 * @throws DatabaseOpenError for a file that cannot be read, or that the mode does not use
 */
function tlsOptions({ sslMode, sslRootCert, sslCert, sslKey }: TlsUrl): ConnectionOptions | undefined {
  if (sslMode === 'disable') return undefined;
  const isVerified = sslMode === 'verify-ca' || sslMode === 'verify-full';
  if (sslRootCert !== undefined && !isVerified) {
    throw new DatabaseOpenError(
      `The URL of the database names sslrootcert, which sslmode ${sslMode} does not use. Write sslmode=verify-full, so that the certificate of the server is verified.`,
    );
  }
  if ((sslCert === undefined) !== (sslKey === undefined)) {
    throw new DatabaseOpenError(
      'The URL of the database names one of sslcert and sslkey. A client certificate needs both files.',
    );
  }
  return {
    rejectUnauthorized: isVerified,
    // The chain is verified, and the name is not (libpq, "verify-ca").
    ...(sslMode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(sslRootCert !== undefined && { ca: fileOf('sslrootcert', sslRootCert) }),
    ...(sslCert !== undefined && { cert: fileOf('sslcert', sslCert) }),
    ...(sslKey !== undefined && { key: fileOf('sslkey', sslKey) }),
  };
}

function fileOf(parameter: string, file: string): string {
  let reason = pathProblem(file);
  try {
    const text = utf8Text(readFileSync(file));
    if (text !== undefined) return text;
    reason ??= notUtf8;
  } catch (error) {
    reason ??= error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  throw new DatabaseOpenError(
    `Cannot read the file ${file} that ${parameter} of the URL of the database names (${reason}). Expected a PEM file that this user can read.`,
  );
}

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
