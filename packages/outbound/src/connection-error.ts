import { OutboundError } from './outbound-error.ts';

/** Errors of OpenSSL and of Node.js about TLS, by how their codes begin. */
const tlsCodes =
  /^(?:EPROTO|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|INVALID_CA|PATH_LENGTH_|HOSTNAME_MISMATCH)/;
/** Errors of the HTTP parser and of zlib. */
const formatCodes = /^(?:HPE_|Z_)/;

/**
 * The error for the operator, made from an error of Node.js. An error without a code is a mistake in the program and is
 * returned unchanged.
 */
export function connectionError(host: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (tlsCodes.test(code)) {
    return new OutboundError('tls', `TLS with ${host} failed: ${code}`);
  }
  if (formatCodes.test(code)) {
    return new OutboundError('malformed-answer', `the answer of ${host} cannot be read: ${code}`);
  }
  return new OutboundError('unreachable', `the connection to ${host} failed: ${code}`);
}
