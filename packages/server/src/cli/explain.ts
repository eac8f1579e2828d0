import type { AdminError } from '@watchword/admin-client';
import { administrationKey, OAuthError, StoreDamagedError, StoreUnavailableError } from '@watchword/protocol';
import { DatabaseOpenError } from '@watchword/store-sql';
import { ConfigurationError } from '../config/fault.ts';
import { adminVariables } from './admin-variables.ts';
import { printable, printableLines } from './printable.ts';
import { UsageError } from './usage-error.ts';

/** What the command line tells of an error: one that was foreseen by its message, any other with its stack. */
export function explain(error: unknown): string {
  if (error instanceof OAuthError) return messageOf(error.message, error.violations);
  if (isAdminError(error)) return messageOf(withAdvice(error), error.violations);
  if (error instanceof StoreUnavailableError) {
    return `the database could not be used: ${error.message}. Nothing was changed; try again.`;
  }
  const isExpected =
    error instanceof UsageError ||
    error instanceof StoreDamagedError ||
    error instanceof ConfigurationError ||
    error instanceof DatabaseOpenError ||
    (error instanceof Error && error.name === 'ListenError');
  if (isExpected) return error.message;
  return printableLines(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** The message of an error, or the rules that a record breaks. They can come from a server that is not to be trusted. */
function messageOf(message: string, violations: readonly string[] = []): string {
  if (violations.length === 0) return printable(message);
  const broken = violations.map(printable);
  return ['nothing was changed, for the record breaks these rules:', ...broken].join('\n  ');
}

/** Known by its name, so that the package is loaded by those commands alone that use it. */
function isAdminError(error: unknown): error is AdminError {
  return error instanceof Error && error.name === 'AdminError';
}

/** Why there was no answer; what to look at when the token was refused. */
function withAdvice(error: AdminError): string {
  if (error.code === 'unreachable') return `${error.message} Reason: ${reasonOf(error.cause)}`;
  if (error.code !== 'invalid_token') return error.message;
  return `The server refused the access token. Expected one that has not expired, of a client of ${administrationKey}: look at ${adminVariables.token}, or at ${adminVariables.clientId}.`;
}

/** The last of what led to it: `fetch` itself says no more than that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // OpenSSL has its words in `reason`, and in the message where in its source they come from.
  const { reason, code } = error as NodeJS.ErrnoException & { readonly reason?: string };
  return reason || error.message || String(code ?? error.name);
}
