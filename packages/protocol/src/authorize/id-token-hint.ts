import { RedirectableError } from '../model/errors.ts';
import type { JwtClaims, TokenSigner } from '../ports/token-signer.ts';
import { type AuthorizationParameters, firstValue } from './parameters.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { ambiguousSubject } from './request/openid.ts';

export interface IdTokenHintDependencies {
  readonly signer: Pick<TokenSigner, 'verify'>;
  readonly issuer: string;
}

/**
 * The request with the user whom `id_token_hint` names (OpenID Connect Core §3.1.2.1). A request without `openid` has no hint.
 *
 * The checks are those of §3.1.3.7 but expiry and nonce: the hint can be old. Nonce and `azp` belong to the request in which the
 * ID token was issued.
 */
export async function withIdTokenHint(
  request: AuthorizationRequest,
  parameters: AuthorizationParameters,
  { signer, issuer }: IdTokenHintDependencies,
): Promise<AuthorizationRequest | RedirectableError> {
  const hint = firstValue(parameters, 'id_token_hint');
  const { openid, client } = request;
  if (hint === undefined || openid === undefined) return request;
  const claims = await signer.verify(hint, { type: 'JWT', keys: 'everSigned' });
  const subject = claims && subjectOfIdToken(claims, client.clientId, issuer);
  if (subject === undefined) return invalidHint();
  if (openid.hintedSubject !== undefined && openid.hintedSubject !== subject) return ambiguousSubject();
  return { ...request, openid: { ...openid, hintedSubject: subject } };
}

/** `sub` of an ID token of the client; `undefined` if the claims are not those of one. */
function subjectOfIdToken({ iss, aud, azp, sub, exp, iat }: JwtClaims, clientId: string, issuer: string) {
  const audience = Array.isArray(aud) ? aud : [aud];
  const isFor = audience.includes(clientId) && (audience.length === 1 || azp === clientId);
  const isPresenter = azp === undefined || azp === clientId;
  const hasTimes = typeof exp === 'number' && typeof iat === 'number';
  return iss === issuer && isFor && isPresenter && hasTimes && typeof sub === 'string' ? sub : undefined;
}

function invalidHint(): RedirectableError {
  return new RedirectableError('invalid_request', {
    description: 'The id_token_hint is not an ID token that this server has issued to the client.',
  });
}
