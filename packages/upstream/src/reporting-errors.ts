import { type ProviderAttempt, reportingRejection } from '@watchword/protocol';
import type { OidcDependencies } from './dependencies.ts';
import { errorAnswer, UpstreamError } from './upstream-error.ts';

/** Logs an UpstreamError for the operator, and throws the error page for the user in its place. */
export function reportingErrors<Value>(
  { of, requestId }: Pick<ProviderAttempt, 'of' | 'requestId'>,
  { log, provider }: Pick<OidcDependencies, 'log' | 'provider'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const attempt = { of, requestId, provider: provider.issuers.url };
  return reportingRejection(attempt, log, { error: UpstreamError, answer: errorAnswer }, work);
}
