import { type ProviderAttempt, reportingRejection } from '@watchword/protocol';
import type { SamlDependencies } from './dependencies.ts';
import { errorAnswer, SamlError } from './saml-error.ts';

/** Logs a SamlError for the operator, and throws the error page for the user in its place. */
export function reportingErrors<Value>(
  attempt: ProviderAttempt,
  { log }: Pick<SamlDependencies, 'log'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const answer = (error: SamlError): never => {
    throw errorAnswer(error, attempt.of);
  };
  return reportingRejection(attempt, log, { error: SamlError, answer }, work);
}
