import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { AttemptLimiter } from '../ports/system/attempt-limiter.ts';
import { type FoundAccessToken, findAccessToken, type TokenLookupDependencies } from './find-access-token.ts';

export interface BearerRequest {
  /** The `Authorization` header, when there is one. */
  readonly authorization: string | undefined;
  /** `access_token` of a form body (RFC 6750 §2.2), where the endpoint takes it there and the body has it. */
  readonly formToken?: string | undefined;
  /** Whether the query has an `access_token`, where it would stand in logs and histories. */
  readonly hasTokenInQuery: boolean;
  /** The network address of the caller; failed attempts are counted by it. */
  readonly source: string;
}

export interface BearerDependencies extends TokenLookupDependencies {
  readonly attempts: AttemptLimiter;
}

// Failures are counted under this identifier. No account and no client has it in these letters.
const scheme = 'Bearer';

// RFC 6750 §2.1. The scheme is case-insensitive (RFC 9110 §11.1).
const headerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const schemePattern = /^bearer(?:\s|$)/i;

/**
 * Finds what the presented access token represents (RFC 6750 §2.1, §2.2). Every token that is not valid here has the same error,
 * `invalid_token`.
 *
 * @throws OAuthError `missing_token`, `invalid_token`, `invalid_request`, `too_many_requests`
 */
export async function authenticateBearer(
  request: BearerRequest,
  deps: BearerDependencies,
  accepts: (found: FoundAccessToken) => boolean,
): Promise<FoundAccessToken> {
  const value = presentedToken(request);
  const found = value === undefined ? undefined : await findAccessToken(value, deps);
  if (found !== undefined && !found.expired && accepts(found)) return found;
  const retryAfter = deps.attempts.recordFailure(request.source, scheme);
  throw retryAfter > 0
    ? new OAuthError('too_many_requests', { retryAfter })
    : new OAuthError('invalid_token');
}

/** `undefined` for a text that cannot be a token. @throws OAuthError `missing_token`, `invalid_request` */
export function presentedToken({
  authorization,
  formToken,
  hasTokenInQuery,
}: BearerRequest): string | undefined {
  const places = [authorization !== undefined, formToken !== undefined, hasTokenInQuery];
  if (places.filter(Boolean).length > 1) {
    throw new OAuthError('invalid_request', because('one_bearer_token'));
  }
  if (formToken !== undefined) return formToken;
  // RFC 6750 §3.1: the request has no token, or another scheme. It is no attempt to guess a token.
  if (!hasTokenInQuery && !schemePattern.test(authorization ?? '')) throw new OAuthError('missing_token');
  return headerPattern.exec(authorization ?? '')?.[1];
}
