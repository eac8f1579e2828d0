import { StoreDamagedError, StoreUnavailableError } from '@watchword/protocol';
import { TransactionConflictError } from '../../../queries/transaction-conflict.ts';
import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import { type PostgresqlError, toPostgresqlError } from './postgresql-error.ts';
import { isConflict, isDamage, isUnavailability, sqlState } from './sql-state.ts';

export const damageAdvice =
  'PostgreSQL reports damaged data: find the extent with pg_amcheck, and restore the last backup with the tools of PostgreSQL.';

/** The error for callers of the store. Its cause is the error of PostgreSQL. */
export function toStoreError(error: unknown): Error {
  if (isOfStore(error)) return error;
  // The error of a caller, such as of a value that cannot be sent, or of a database that it does not accept.
  if (error instanceof RangeError || error instanceof TypeError || error instanceof DatabaseOpenError)
    return error;
  const cause = toPostgresqlError(error);
  const { code } = cause;
  if (code === undefined) return new StoreUnavailableError(lostText(cause), { cause });
  const text = `PostgreSQL: ${cause.message} (${code})`;
  if (isDamage(code)) return new StoreDamagedError(`${text}. ${damageAdvice}`, { cause });
  if (isConflict(code)) return new TransactionConflictError(text, { cause });
  if (isUnavailability(code)) return new StoreUnavailableError(text, { cause });
  if (isFromPooler(code)) return new StoreUnavailableError(`${text}. ${poolerAdvice}`, { cause });
  return new Error(text, { cause });
}

export const poolerAdvice =
  'A connection pooler gives each transaction another connection: set postgresql.preparedStatements to false.';

function isFromPooler(code: string): boolean {
  return code === sqlState.invalidStatementName || code === sqlState.duplicatePreparedStatement;
}

function lostText({ message }: PostgresqlError): string {
  return `the connection to PostgreSQL was lost: ${message}; a write that was under way is not acknowledged`;
}

function isOfStore(error: unknown): error is Error {
  return error instanceof StoreUnavailableError || error instanceof StoreDamagedError;
}
