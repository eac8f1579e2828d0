import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import { type IdTokenHintDependencies, readIdTokenHint } from '../openid/id-token-hint.ts';
import { type AuthorizationParameters, firstValue } from './parameters.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { ambiguousSubject } from './request/openid.ts';

/**
 * The request with the user whom `id_token_hint` names (OpenID Connect Core §3.1.2.1). A request without `openid` has no hint.
 */
export async function withIdTokenHint(
  request: AuthorizationRequest,
  parameters: AuthorizationParameters,
  deps: IdTokenHintDependencies,
): Promise<AuthorizationRequest | RedirectableError> {
  const text = firstValue(parameters, 'id_token_hint');
  const { openid, client } = request;
  if (text === undefined || openid === undefined) return request;
  const hint = await readIdTokenHint(text, deps);
  if (hint?.clientId !== client.clientId) return invalidHint();
  const { subject } = hint;
  if (openid.hintedSubject !== undefined && openid.hintedSubject !== subject) return ambiguousSubject();
  return { ...request, openid: { ...openid, hintedSubject: subject } };
}

function invalidHint(): RedirectableError {
  return new RedirectableError('invalid_request', because('id_token_hint'));
}
