import type { SamlDependencies } from './dependencies.ts';
import { errorAnswer, SamlError } from './saml-error.ts';

export interface Attempt {
  readonly of: 'login' | 'logout';
  readonly requestId: string;
  /** Entity id of the identity provider, once the message has named it. */
  provider?: string | undefined;
}

/** Logs a SamlError for the operator, and throws the error page for the user in its place. */
export async function reportingErrors<Value>(
  attempt: Attempt,
  { log }: Pick<SamlDependencies, 'log'>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SamlError)) throw error;
    const { of, requestId, provider } = attempt;
    log('warn', `a ${of} was rejected`, {
      requestId,
      provider: provider?.slice(0, 300) ?? 'unknown',
      check: error.check,
      detail: error.message,
    });
    throw errorAnswer(error, of);
  }
}
