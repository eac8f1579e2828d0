import { OAuthError, type OAuthErrorDetails } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { RequestHead } from '../model/request-head.ts';
import type { AttemptLimiter } from '../ports/system/attempt-limiter.ts';
import type { DpopProofs } from './dpop-proofs.ts';
import { type FoundAccessToken, findAccessToken, type TokenLookupDependencies } from './find-access-token.ts';

export interface PresentedTokenRequest {
  /** `access_token` of a form body (RFC 6750 §2.2), where the endpoint takes it there and the body has it. */
  readonly formToken?: string | undefined;
  /** Whether the query has an `access_token`, where it would stand in logs and histories. */
  readonly hasTokenInQuery: boolean;
  /** Failed attempts are counted by its network address. */
  readonly head: RequestHead;
}

export interface AccessTokenDependencies extends TokenLookupDependencies {
  readonly attempts: AttemptLimiter;
  readonly dpopProofs: DpopProofs;
}

// Failures are counted under this identifier. No account and no client has it in these letters.
const countedAs = 'Bearer';

/** The schemes of access tokens. In a header they are case-insensitive (RFC 9110 §11.1). */
type TokenScheme = 'bearer' | 'dpop';

// RFC 6750 §2.1, RFC 9449 §7.1.
const headerPattern = /^(?:bearer|dpop) +([A-Za-z0-9\-._~+/]+=*)$/i;
const schemePattern = /^(bearer|dpop)(?:\s|$)/i;

/**
 * Finds what the presented access token represents (RFC 6750 §2.1, §2.2). Every token that is not valid here has the same error,
 * `invalid_token`. A token that is bound to a key needs a proof of the key (RFC 9449 §7).
 *
 * @throws OAuthError `missing_token`, `invalid_token`, `invalid_request`, `too_many_requests`, `invalid_token_proof`, `use_token_nonce`
 */
export async function authenticateAccessToken(
  request: PresentedTokenRequest,
  deps: AccessTokenDependencies,
  accepts: (found: FoundAccessToken) => boolean,
): Promise<FoundAccessToken> {
  const { scheme, value } = presentedToken(request);
  const found = value === undefined ? undefined : await findAccessToken(value, deps);
  if (value !== undefined && found !== undefined && !found.expired && accepts(found)) {
    await requirePossession(found, value, scheme, request.head, deps.dpopProofs);
    return found;
  }
  const retryAfter = deps.attempts.recordFailure(request.head.source, countedAs);
  throw retryAfter > 0
    ? new OAuthError('too_many_requests', { retryAfter })
    : new OAuthError('invalid_token');
}

interface PresentedToken {
  readonly scheme: TokenScheme;
  /** `undefined` for a text that cannot be a token. */
  readonly value: string | undefined;
}

/** @throws OAuthError `missing_token`, `invalid_request` */
function presentedToken({ formToken, hasTokenInQuery, head }: PresentedTokenRequest): PresentedToken {
  const { authorization } = head.headers;
  const places = [authorization !== undefined, formToken !== undefined, hasTokenInQuery];
  if (places.filter(Boolean).length > 1) {
    throw new OAuthError('invalid_request', because('one_bearer_token'));
  }
  if (formToken !== undefined) return { scheme: 'bearer', value: formToken };
  if (hasTokenInQuery) return { scheme: 'bearer', value: undefined };
  return fromHeader(authorization);
}

/** RFC 6750 §3.1: the request has no token, or another scheme. It is no attempt to guess a token. @throws OAuthError `missing_token` */
function fromHeader(authorization = ''): PresentedToken {
  const scheme = schemePattern.exec(authorization)?.[1]?.toLowerCase() as TokenScheme | undefined;
  if (scheme === undefined) throw new OAuthError('missing_token', { takesDpop: true });
  return { scheme, value: headerPattern.exec(authorization)?.[1] };
}

/**
 * The token of a request that takes bearer tokens in the header alone; `undefined` for a text that cannot be a token.
 *
 * @throws OAuthError `missing_token`
 */
export function presentedBearer(authorization: string | undefined): string | undefined {
  if (!/^bearer(?:\s|$)/i.test(authorization ?? '')) throw new OAuthError('missing_token');
  return fromHeader(authorization).value;
}

/** @throws OAuthError `invalid_token` where token and scheme do not fit; `invalid_token_proof`, `use_token_nonce` */
async function requirePossession(
  { token: { confirmation } }: FoundAccessToken,
  value: string,
  scheme: TokenScheme,
  head: RequestHead,
  dpopProofs: DpopProofs,
): Promise<void> {
  const { jkt, 'x5t#S256': certificate } = confirmation ?? {};
  if (certificate !== undefined && certificate !== head.clientCertificate) {
    throw new OAuthError('invalid_token', unfit('the certificate of its client', 'another one, or none'));
  }
  if (scheme === 'bearer') {
    if (confirmation === undefined || (jkt === undefined && certificate !== undefined)) return;
    throw new OAuthError('invalid_token', unfit('the scheme DPoP with a proof of its key', 'Bearer'));
  }
  if (jkt === undefined) throw new OAuthError('invalid_token', unfit('the scheme Bearer', 'DPoP'));
  if (head.headers.dpop === undefined) throw unproven('no header DPoP');
  const proof = await dpopProofs.check(head, value);
  if (proof.jkt !== jkt) throw unproven('a proof of another key');
  await proof.use();
}

function unfit(expected: string, came: string): OAuthErrorDetails {
  return { ...because('bound_token', { expected, came }), takesDpop: true };
}

function unproven(came: string): OAuthError {
  return new OAuthError(
    'invalid_token_proof',
    because('bound_token', { expected: 'a proof of its key', came }),
  );
}
