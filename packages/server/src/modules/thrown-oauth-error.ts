import { OAuthError, protocolErrors } from '@watchword/protocol';

/**
 * The `OAuthError` that a module threw; `undefined` for any other error. A package can have its own copy of the protocol, so
 * the error is recognized by its name.
 */
export function thrownOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  if (!(error instanceof Error) || error.name !== 'OAuthError') return undefined;
  const { kind, message: description, retryAfter, text } = error as OAuthError;
  if (!Object.hasOwn(protocolErrors, kind)) return undefined;
  return new OAuthError(kind, {
    description,
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(text !== undefined && { text }),
  });
}
