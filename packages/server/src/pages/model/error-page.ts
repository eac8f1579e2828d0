import { type OAuthError, protocolErrors } from '@watchword/protocol';
import type { ErrorPage } from './page.ts';

/** The page that shows an error. */
export function errorPage(error: OAuthError, requestId: string): ErrorPage {
  const { error: code, status } = protocolErrors[error.kind];
  const { kind, message: description, retryAfter, text } = error;
  return { page: 'error', kind, status, error: code, description, requestId, retryAfter, text };
}
