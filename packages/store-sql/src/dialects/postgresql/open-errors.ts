import { DatabaseOpenError } from '../../schema/database-open-error.ts';
import { NoHostError } from './connection/hosts.ts';
import { PostgresqlError } from './connection/postgresql-error.ts';
import { SplitBrainError } from './connection/primaries.ts';
import { sqlState } from './connection/sql-state.ts';
import { poolerAdvice } from './connection/store-errors.ts';
import { type DatabaseUrl, withoutPassword } from './connection/url.ts';

/**
 * The error with advice for the operator; other errors than those of PostgreSQL stay as they are.
 *
 * @param what the words before the URL
 */
export function toOpenError(url: DatabaseUrl, error: unknown, what = 'the database'): unknown {
  if (error instanceof DatabaseOpenError) return error;
  const failure = failureOf(error);
  if (failure === undefined) return error;
  return new DatabaseOpenError(`Cannot use ${what} ${withoutPassword(url)}: ${failure}`, {
    cause: error,
  });
}

function failureOf(error: unknown): string | undefined {
  if (error instanceof NoHostError) return textOfHosts(error);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof NoHostError) return textOfHosts(cause);
  if (cause instanceof SplitBrainError) return cause.message;
  if (!(cause instanceof PostgresqlError)) return undefined;
  return `${adviceFor(cause)} (${messageOf(cause)})`;
}

/** The advice for the first host that failed in another way than being a standby, or for standbys alone. */
function textOfHosts({ failures, message }: NoHostError): string {
  const errors = failures.map(({ error }) => error).filter((error) => error !== undefined);
  const [first] = errors;
  const advice =
    first === undefined
      ? 'No host accepts writes: all that were found are standbys or read-only. Add the primary to the hosts of the URL, or promote a standby.'
      : adviceFor(first);
  return `${advice} (${message})`;
}

function messageOf({ message, code }: PostgresqlError): string {
  return code === undefined ? message : `PostgreSQL: ${message}, ${code}`;
}

function adviceFor(error: PostgresqlError): string {
  const code = error.code ?? socketCode(error);
  if (code !== undefined) {
    const known = advice[code] ?? (isCertificateError(code) ? certificateAdvice : undefined);
    if (known !== undefined) return known;
  }
  return textAdvice.find(([text]) => error.message.includes(text))?.[1] ?? otherAdvice;
}

const otherAdvice = 'Nothing was changed. Look into the log of PostgreSQL.';
const certificateAdvice =
  'The certificate of the server cannot be verified. Name the file of the root certificate with sslrootcert, and the host as its certificate does.';

const advice: Readonly<Record<string, string>> = {
  [sqlState.invalidPassword]:
    'The server does not accept this user with this password. Correct them in the URL, or set the password with ALTER ROLE … PASSWORD.',
  [sqlState.invalidAuthorization]:
    'The server does not permit this user to connect in this way. Correct the user in the URL, or pg_hba.conf of the server; it can require TLS (sslmode=verify-full).',
  [sqlState.invalidCatalog]:
    'There is no such database on the server. Make it with CREATE DATABASE, or correct its name in the URL.',
  [sqlState.insufficientPrivilege]:
    'This user lacks a right. To migrate, it must own the tables and have CREATE on the schema; to serve, it needs SELECT, INSERT, UPDATE and DELETE on all tables. Nothing was changed.',
  [sqlState.tooManyConnections]:
    'The server has no free connection. Raise max_connections, or use smaller pools.',
  [sqlState.cannotConnectNow]: 'The server is starting or stopping. Try again when it is ready.',
  [sqlState.readOnlyTransaction]:
    'The database is read-only. Name the primary, or end default_transaction_read_only.',
  [sqlState.diskFull]: 'The server has no space left on its disk. Free some, and start again.',
  [sqlState.lockNotAvailable]:
    'Another session keeps a table locked. Wait until it has finished, or end it, and try again.',
  [sqlState.invalidStatementName]: poolerAdvice,
  [sqlState.duplicatePreparedStatement]: poolerAdvice,
  [sqlState.undefinedTable]: changedTables(),
  [sqlState.undefinedColumn]: changedTables(),
  [sqlState.dataCorrupted]:
    'The data of the server are damaged. Restore the last backup with the tools of PostgreSQL.',
  [sqlState.indexCorrupted]: 'An index of the server is damaged. Rebuild it with REINDEX.',
  ENOTFOUND: 'The name of the host is unknown. Correct it in the URL.',
  EAI_AGAIN:
    'The name of the host cannot be looked up now. Correct it in the URL, or the name server of this machine.',
  ECONNREFUSED:
    'No server listens there. Start PostgreSQL, or correct host and port in the URL; listen_addresses and a firewall can be the reason too.',
  ENOENT: 'There is no such Unix socket. Start PostgreSQL, or correct the directory in the URL.',
  EACCES: 'This user cannot open the Unix socket. Correct its permissions.',
  ETIMEDOUT: 'The host does not answer. Correct it in the URL, or the firewall in between.',
};

function changedTables(): string {
  return 'The tables in the database differ from the tables that its migrations make: they were changed. Nothing was changed now. Restore the last backup with the tools of PostgreSQL.';
}

/** For errors that have a text alone. */
const textAdvice: readonly (readonly [text: string, advice: string])[] = [
  [
    'does not support SSL',
    'The server has no TLS, which the URL demands. Turn it on (ssl = on), or write sslmode=disable where the network is trusted.',
  ],
  ['timeout expired', 'The host does not answer. Correct it in the URL, or the firewall in between.'],
  [
    'asks for a password',
    'The server asks for a password. Write it into the URL, which can come from a file, or into the environment variable PGPASSWORD.',
  ],
];

function socketCode(error: PostgresqlError): string | undefined {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

// Codes of OpenSSL and Node.js for certificates that are not trusted, not valid now, or of another host.
function isCertificateError(code: string): boolean {
  return /CERT|VERIFY|SELF_SIGNED|ISSUER/.test(code);
}
