import type { ModuleOptions } from './authentication-module.ts';

/** A login or logout at an identity provider. */
export interface ProviderAttempt {
  readonly of: 'login' | 'logout';
  readonly requestId: string;
  /** The identity provider, once the message has named it. */
  provider?: string | undefined;
}

/** A message of an identity provider that a module rejects: its class names the check, and its message is for the operator. */
interface Rejection<Value, Failure extends Error & { readonly check: string }> {
  // A class, to recognize it by.
  readonly error: abstract new (
    ...args: never[]
  ) => Failure;
  /** @throws OAuthError for an error page */
  answer(error: Failure): Value;
}

/** Logs the rejection of a message for the operator, and answers it. @throws OAuthError */
export async function reportingRejection<Value, Failure extends Error & { readonly check: string }>(
  attempt: ProviderAttempt,
  log: ModuleOptions['log'],
  { error: kind, answer }: Rejection<Value, Failure>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof kind)) throw error;
    const { of, requestId, provider } = attempt;
    log('warn', `a ${of} was rejected`, {
      requestId,
      provider: provider?.slice(0, 300) ?? 'unknown',
      check: error.check,
      detail: error.message,
    });
    return answer(error);
  }
}
