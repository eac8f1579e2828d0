import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { notUtf8, pathProblem, utf8Text } from '@watchword/protocol';
import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import type { DatabaseUrl } from './url.ts';

type TlsUrl = Pick<DatabaseUrl, 'sslMode' | 'sslRootCert' | 'sslCert' | 'sslKey'>;

/**
 * The options of TLS; `undefined` for a connection without TLS. Certificates are verified with the given root certificates, or
 * with those that Node.js trusts.
 *
 * @throws DatabaseOpenError for a file that cannot be read, or that the mode does not use
 */
export function tlsOptions({ sslMode, sslRootCert, sslCert, sslKey }: TlsUrl): ConnectionOptions | undefined {
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
