/** An error of PostgreSQL, or the loss of the connection. */
export class PostgresqlError extends Error {
  override readonly name = 'PostgresqlError';
  /** SQLSTATE (PostgreSQL documentation, appendix A); `undefined` if the server did not answer. */
  readonly code: string | undefined;
  /** The connection has ended. What was sent on it can be in effect or not, also a commit: it must not be sent again. */
  readonly isLost: boolean;

  /** @param cause of the socket */
  constructor(message: string, code?: string, isLost = code === undefined, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.isLost = isLost;
  }
}

/** The error for an error that node-postgres reports. It leaves out the details, which can have values of a row. */
export function toPostgresqlError(error: unknown): PostgresqlError {
  if (error instanceof PostgresqlError) return error;
  if (!(error instanceof Error)) return new PostgresqlError(String(error));
  return isFromServer(error)
    ? new PostgresqlError(error.message, error.code, isFatal(error))
    : new PostgresqlError(error.message, undefined, true, error);
}

interface ServerError {
  readonly severity: string;
  readonly code: string;
}

/**
 * Whether the server ends the connection. It translates the severity into its own language (`lc_messages`), but not the code. Where
 * neither tells, the end of the connection follows.
 */
function isFatal({ severity, code }: ServerError): boolean {
  return severity === 'FATAL' || severity === 'PANIC' || /^(?:08|25P0[34]|57P0)/.test(code);
}

function isFromServer(error: Error): error is Error & ServerError {
  return 'severity' in error && 'code' in error && typeof error.code === 'string';
}
