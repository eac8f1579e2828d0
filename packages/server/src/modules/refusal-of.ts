import { OAuthError, protocolErrors } from '@watchword/protocol';

/**
 * What a module refuses by throwing `OAuthError`; `undefined` for anything else. A package may have a copy of the
 * protocol of its own, so the error is known by its name.
 */
export function refusalOf(error: unknown): OAuthError | undefined {
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
