import type { AdminError } from '@watchword/admin-client';
import {
  administrationKey,
  KeyManagementError,
  OAuthError,
  StoreDamagedError,
  StoreUnavailableError,
} from '@watchword/protocol';
import { ConfigurationError } from '@watchword/server/configuration-error';
import { printable, printableLines } from '@watchword/server/runtime/log/printable';
import { DatabaseOpenError } from '@watchword/store-sql';
import { adminVariables } from './admin-variables.ts';
import { UsageError } from './usage-error.ts';

export const exitCodes = { done: 0, failed: 1, usage: 2, findings: 3 } as const;

/** An error in words for the command line: the message of an expected error, the stack of any other. */
export function errorInWords(error: unknown): string {
  if (error instanceof OAuthError) return messageOf(error.message, error.violations);
  if (isAdminError(error)) return messageOf(withAdvice(error), error.violations);
  if (error instanceof StoreUnavailableError) {
    return `the database cannot be used: ${error.message}. Nothing was changed. Try again.`;
  }
  const isExpected =
    error instanceof UsageError ||
    error instanceof StoreDamagedError ||
    error instanceof KeyManagementError ||
    error instanceof ConfigurationError ||
    error instanceof DatabaseOpenError ||
    (error instanceof Error && ['ConfigurationRefused', 'ListenError', 'WorkerError'].includes(error.name));
  if (isExpected) return printableLines(error.message);
  // Of a thread, which needs the directory whatever files a command names.
  if (error instanceof Error && error.message.includes('uv_cwd')) {
    return 'the working directory was removed. Change to one that exists, such as "cd /", and run the command again.';
  }
  return printableLines(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** 2 for a wrong use of the command line or the configuration, otherwise 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Error && error.name === 'WorkerError' && 'exitCode' in error)
    return Number(error.exitCode);
  return error instanceof UsageError || error instanceof ConfigurationError
    ? exitCodes.usage
    : exitCodes.failed;
}

/** The message of an error, or the rules that a record breaks. The texts can come from a server that is not trusted. */
function messageOf(message: string, violations: readonly string[] = []): string {
  if (violations.length === 0) return printable(message);
  const broken = violations.map(printable);
  return ['nothing was changed, because the record breaks these rules:', ...broken].join('\n  ');
}

/** Compares the name and not the class, so that only the commands that use the package load it. */
export function isAdminError(error: unknown): error is AdminError {
  return error instanceof Error && error.name === 'AdminError';
}

/** Adds the reason why there was no answer, or what to check when the server does not accept the token. */
function withAdvice(error: AdminError): string {
  if (error.code === 'unreachable') return `${error.message} Reason: ${reasonOf(error.cause)}`;
  if (error.code === 'insufficient_user_authentication') {
    return `${error.message} "watchword login" logs in again. A token in ${adminVariables.token} must be one of a new login.`;
  }
  if (error.code !== 'invalid_token') return error.message;
  return `The server does not accept the access token. Expected a valid access token of a client of ${administrationKey}. Check ${adminVariables.token}, or ${adminVariables.clientId}.`;
}

/** The innermost cause: the error of `fetch` itself only reports that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // OpenSSL has its text in `reason`; the message also names a place in its source.
  const { reason, code } = error as NodeJS.ErrnoException & { readonly reason?: string };
  return reason || error.message || String(code ?? error.name);
}
