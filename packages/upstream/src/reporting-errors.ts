import { type ProviderAttempt, reportingRejection } from '@watchword/protocol';
import type { OidcDependencies } from './dependencies.ts';
import { errorAnswer, UpstreamError } from './upstream-error.ts';

/** Logs an UpstreamError for the operator, and answers it; default: throws the error page for the user. */
export function reportingErrors<Value>(
  { of, requestId }: Pick<ProviderAttempt, 'of' | 'requestId'>,
  { log, provider }: Pick<OidcDependencies, 'log' | 'provider'>,
  work: () => Promise<Value>,
  answer = (error: UpstreamError): Value => {
    throw errorAnswer(error, of);
  },
): Promise<Value> {
  const attempt = { of, requestId, provider: provider.issuers.url };
  return reportingRejection(attempt, log, { error: UpstreamError, answer }, work);
}
